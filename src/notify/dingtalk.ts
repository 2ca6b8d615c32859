import { truncateChars } from "../lib/text";
import type { ChannelConfig } from "../shared/channel";
import { robotVerdict } from "./coded-verdict";
import { mentionedMobiles, mentionsEveryone } from "./mentions";
import type { ChannelTarget, Notice, Notifier } from "./notifier";
import { partsOf, titledText } from "./parts";
import { pastedUrl } from "./pasted-url";
import { dingtalkSignature } from "./signature";
import { bodyBytes, jsonBytes } from "./units";

const hosts = ["oapi.dingtalk.com"];
/** 20,000 are refused; room is left for the people that a part mentions. */
const maxBodyBytes = 19_000;
/** A robot that sent too fast is shut for ten minutes. */
const penaltyMs = 600_000;

/** DingTalk custom robot: https://open.dingtalk.com/document/robots/custom-robot-access */
export const dingtalk: Notifier = {
	type: "dingtalk",
	hosts,
	rate: { burst: 4, perMinute: 13 },
	normalise(url) {
		const example = "https://oapi.dingtalk.com/robot/send?access_token=<token>";
		return unsigned(pastedUrl(url, { hosts, path: /^\/robot\/send$/, key: "access_token", example })).href;
	},
	split(notice, config) {
		const limit = maxBodyBytes - bodyBytes(messageBody(notice, "", config));
		return partsOf(titledText(notice), config, { limit, measure: jsonBytes, keyword: config.keyword });
	},
	async request(target, part, notice, at) {
		return {
			url: await signedUrl(target, at),
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(messageBody(notice, part, target.config)),
		};
	},
	verdict: robotVerdict({
		"-1": { retryable: true },
		"90030": { retryable: true, retryAfterMs: penaltyMs, hint: "over the limit; waiting ten minutes" },
		"101002": { hint: "the message is over 20,000 bytes" },
		"130101": { retryable: true, retryAfterMs: penaltyMs, hint: "over 20 messages a minute; waiting ten minutes" },
		"300001": { hint: "the token does not exist: paste the robot's URL again" },
		"300005": { hint: "the token does not exist: paste the robot's URL again" },
		"310000": {
			hint: "the robot's security refused: set config.keyword or the secret; an address list cannot hold Workers, which have no fixed address",
		},
		"400101": { hint: "the robot is missing or stopped" },
		"400102": { hint: "the robot is missing or stopped" },
		"410100": { retryable: true, retryAfterMs: penaltyMs, hint: "too many messages; waiting ten minutes" },
		"460101": { hint: "the message is over 20,000 bytes" },
	}),
};

/** Built from the stored address each time, so that signatures do not pile up; the parameters encode once. */
async function signedUrl({ url, secret }: ChannelTarget, at: Date): Promise<string> {
	const address = unsigned(new URL(url));
	if (!secret) return address.href;
	const { timestamp, sign } = await dingtalkSignature(secret, at);
	address.searchParams.set("timestamp", timestamp);
	address.searchParams.set("sign", sign);
	return address.href;
}

function unsigned(url: URL): URL {
	url.searchParams.delete("timestamp");
	url.searchParams.delete("sign");
	return url;
}

function messageBody(notice: Notice, text: string, config: ChannelConfig) {
	const at = {
		atMobiles: config.allowMentions ? mentionedMobiles(text) : [],
		atUserIds: [],
		isAtAll: config.allowMentions === true && mentionsEveryone(text),
	};
	if (config.msgtype !== "markdown") return { msgtype: "text", text: { content: text }, at };
	return { msgtype: "markdown", markdown: { title: listTitle(notice), text }, at };
}

/** What the list of chats shows; it must not be empty. */
function listTitle({ title, content }: Notice): string {
	const firstLine = content
		.trimStart()
		.split("\n", 1)[0]
		?.replace(/^#+\s*/, "");
	return truncateChars(title?.trim() || firstLine?.trim() || "Notice", 64);
}
