import { escapeTags } from "./escape-tags";
import type { Notifier } from "./notifier";
import { partsOf, titledText } from "./parts";
import { pastedUrl } from "./pasted-url";
import { utf16Units } from "./units";
import { type CodeMeanings, failed, succeeded, unparseable } from "./verdict";

const hosts = ["hooks.slack.com", "hooks.slack-gov.com"];

const meanings: CodeMeanings = {
	action_prohibited: { hint: "the workspace does not let this app post" },
	channel_is_archived: { hint: "the channel is archived: make a new webhook" },
	channel_not_found: { hint: "the channel is gone: make a new webhook" },
	invalid_payload: { hint: "the message form is wrong" },
	invalid_token: { hint: "the webhook's URL is wrong: paste it again" },
	no_service: { hint: "the webhook was removed or switched off: make a new one" },
	no_team: { hint: "the webhook's URL is wrong: paste it again" },
};

/** Slack incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Notifier = {
	type: "slack",
	hosts,
	rate: { burst: 3, perMinute: 55 },
	normalise(url) {
		const example = "https://hooks.slack.com/services/T…/B…/…";
		return pastedUrl(url, { hosts, path: /^\/services\/\w+\/\w+\/\w+\/?$/, example }).href;
	},
	split(notice, config) {
		const encode = config.allowMentions ? escapeAllButMentions : escapeTags;
		// 40,000 characters are cut off without a word.
		return partsOf(titledText(notice), config, { limit: 35_000, measure: utf16Units, encode });
	},
	async request({ url, config }, part) {
		const body = { text: part, mrkdwn: config.msgtype === "markdown" };
		return { url, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
	},
	/** Plain text: `ok`, or the name of the error. */
	verdict(status, headers, text) {
		const word = text.trim();
		if (status === 200 && word === "ok") return succeeded(status);
		if (!/^[a-z][a-z_]{2,63}$/.test(word)) return unparseable({ status, headers, text });
		return failed({ status, headers }, { code: word, message: word, meaning: meanings[word] });
	},
};

const escapeAllButMentions = (text: string) =>
	escapeTags(text).replace(/&lt;((?:!(?:channel|here|everyone)|@[UW][A-Z0-9]{2,20}))&gt;/g, "<$1>");
