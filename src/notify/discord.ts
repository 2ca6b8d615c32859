import * as z from "zod";
import { providerCode } from "./coded-verdict";
import type { Notifier } from "./notifier";
import { partsOf, titledText } from "./parts";
import { pastedUrl } from "./pasted-url";
import { utf16Units } from "./units";
import { type CodeMeanings, failed, readJson, succeeded, unparseable } from "./verdict";

const hosts = ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"];

const message = z.looseObject({ id: z.string() });
const refusal = z.looseObject({
	code: providerCode.nullish(),
	message: z.string().nullish(),
	/** Seconds, with a fraction. */
	retry_after: z.number().nonnegative().nullish(),
	global: z.boolean().nullish(),
});

const meanings: CodeMeanings = {
	"10015": { hint: "the webhook was deleted: make a new one" },
	"50006": { hint: "the message is empty" },
	"50027": { hint: "the webhook's URL is wrong: paste it again" },
	"50035": { hint: "a field is wrong or too long" },
};

/** Discord webhook: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: Notifier = {
	type: "discord",
	hosts,
	rate: { burst: 4, perMinute: 26 },
	normalise(url) {
		const example = "https://discord.com/api/webhooks/<id>/<token>";
		return pastedUrl(url, { hosts, path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/, example }).href;
	},
	split: (notice, config) => partsOf(titledText(notice), config, { limit: 2000, measure: utf16Units }),
	async request({ url, config }, part) {
		const address = new URL(url);
		// Without it the answer is 204 even for a message that is not kept.
		address.searchParams.set("wait", "true");
		const parse = config.allowMentions ? ["everyone", "users", "roles"] : [];
		const body = { content: part, allowed_mentions: { parse } };
		return { url: address.href, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
	},
	verdict(status, headers, text) {
		if (status === 200 && readJson(message, text)) return succeeded(status);
		const read = status === 200 ? undefined : readJson(refusal, text);
		if (!read) return unparseable({ status, headers, text });
		const code = read.code && read.code !== "0" ? read.code : `http_${status}`;
		const words = read.global ? `${read.message ?? ""} (limit of the whole address, shared with others)` : read.message;
		const retryAfterMs = typeof read.retry_after === "number" && Math.ceil(read.retry_after * 1000);
		const meaning = { ...meanings[code], ...(retryAfterMs !== false && { retryAfterMs }) };
		return failed({ status, headers }, { code, message: words ?? undefined, meaning });
	},
};
