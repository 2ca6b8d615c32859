import { utf8Length } from "../lib/text";
import { robotVerdict } from "./coded-verdict";
import { mentionedMobiles, mentionsEveryone } from "./mentions";
import type { Notifier } from "./notifier";
import { partsOf, titledText } from "./parts";
import { pastedUrl } from "./pasted-url";

const hosts = ["qyapi.weixin.qq.com"];
const send = "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=";

/** WeCom group robot: https://developer.work.weixin.qq.com/document/path/99110 */
export const wecom: Notifier = {
	type: "wecom",
	hosts,
	rate: { burst: 4, perMinute: 13 },
	normalise(url) {
		const pasted = url.trim();
		if (/^[\w-]{16,64}$/.test(pasted)) return send + pasted;
		return pastedUrl(pasted, { hosts, path: /^\/cgi-bin\/webhook\/send$/, key: "key", example: `${send}<key>` }).href;
	},
	split(notice, config) {
		// The limits are 2,048 and 4,096 bytes of UTF-8.
		const limit = config.msgtype === "markdown" ? 4000 : 2000;
		return partsOf(titledText(notice), config, { limit, measure: utf8Length });
	},
	async request({ url, config }, part) {
		const body = config.msgtype === "markdown" ? markdownBody(part) : textBody(part, config.allowMentions);
		return { url, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
	},
	verdict: robotVerdict({
		"-1": { retryable: true },
		"40008": { hint: "the message form is wrong" },
		"40058": { hint: "a field is wrong, or the text is over the limit" },
		"44004": { hint: "the text is empty" },
		"45002": { hint: "the text is over the limit" },
		"45009": { retryable: true, retryAfterMs: 60_000, hint: "over 20 messages a minute" },
		"93000": { hint: "the key is wrong or the robot was removed: paste its URL or key again" },
	}),
};

/** Only `markdown_v2` has tables, and it has no mentions. */
function markdownBody(content: string) {
	const type = /^ {0,3}\|.*\|\s*$/m.test(content) ? "markdown_v2" : "markdown";
	return { msgtype: type, [type]: { content } };
}

function textBody(content: string, allowMentions: boolean | undefined) {
	if (!allowMentions) return { msgtype: "text", text: { content } };
	const everyone = mentionsEveryone(content) ? ["@all"] : [];
	return {
		msgtype: "text",
		text: { content, mentioned_list: everyone, mentioned_mobile_list: mentionedMobiles(content) },
	};
}
