import * as z from "zod";
import { truncateChars } from "../lib/text";
import type { ChannelConfig } from "../shared/channel";
import { providerCode } from "./coded-verdict";
import { escapeTags } from "./escape-tags";
import { feishuMeanings } from "./feishu-codes";
import type { ChannelTarget, Notice, Notifier } from "./notifier";
import { partsOf, titledText } from "./parts";
import { pastedUrl } from "./pasted-url";
import { feishuSignature } from "./signature";
import { bodyBytes, jsonBytes } from "./units";
import { failed, readJson, succeeded, unparseable } from "./verdict";

const hosts = ["open.feishu.cn", "open.larksuite.com"];
/** 20 KB in the guide; told in thousands to be on the safe side. */
const maxBodyBytes = 20_000;
const signatureBytes = bodyBytes({ timestamp: "1700000000", sign: "x".repeat(44) });
/** A card with more tables is refused. */
const maxCardTables = 5;

const answer = z.looseObject({
	code: providerCode.nullish(),
	msg: z.string().nullish(),
	StatusCode: providerCode.nullish(),
	StatusMessage: z.string().nullish(),
});

/** Feishu and Lark custom bot: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot */
export const feishu: Notifier = {
	type: "feishu",
	hosts,
	rate: { burst: 3, perMinute: 90 },
	normalise(url) {
		const example = "https://open.feishu.cn/open-apis/bot/v2/hook/<token>";
		return pastedUrl(url, { hosts, path: /^\/open-apis\/bot\/v2\/hook\/[\w-]+\/?$/, example }).href;
	},
	split(notice, config) {
		const asCard = isCard(config);
		const envelope = bodyBytes(asCard ? cardBody(notice, "") : textBody("")) + signatureBytes;
		return partsOf(asCard ? notice.content : titledText(notice), config, {
			limit: maxBodyBytes - envelope,
			measure: jsonBytes,
			keyword: config.keyword,
			// A card's Markdown needs its own `>` and `&`; its mentions are disarmed before.
			...(!asCard && !config.allowMentions && { encode: escapeTags }),
		});
	},
	async request(target, part, notice, at) {
		const body = isCard(target.config) && tablesIn(part) <= maxCardTables ? cardBody(notice, part) : textBody(part);
		return {
			url: target.url,
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ ...(await signed(target, at)), ...body }),
		};
	},
	verdict(status, headers, text) {
		const read = readJson(answer, text);
		// `StatusCode` is the older name; some answers have both, newer ones only `code`.
		const code = read?.code ?? read?.StatusCode;
		if (!read || code === null || code === undefined) return unparseable({ status, headers, text });
		const message = read.msg ?? read.StatusMessage ?? undefined;
		if (code === "0" && status === 200) return succeeded(status, { code, message });
		return failed({ status, headers }, { code, message, meaning: feishuMeanings(code, message) });
	},
};

const isCard = (config: ChannelConfig) => config.msgtype === "interactive" || config.msgtype === "markdown";

const textBody = (text: string) => ({ msg_type: "text", content: { text } });

const cardBody = ({ title }: Notice, content: string) => ({
	msg_type: "interactive",
	card: {
		...(title && { header: { title: { tag: "plain_text", content: truncateChars(title, 200) } } }),
		elements: [{ tag: "markdown", content }],
	},
});

const signed = async ({ secret }: ChannelTarget, at: Date) => (secret ? await feishuSignature(secret, at) : {});

/** Counts the delimiter rows, of which each Markdown table has one. */
const tablesIn = (text: string) => text.match(delimiterRow)?.length ?? 0;

/** Two runs of blanks never meet in it: a page of blank lines must not cost their square. */
const delimiterRow = /^ {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/gm;
