import type { CodeMeaning, CodeMeanings } from "./verdict";

const meanings: CodeMeanings = {
	"2200": { retryable: true },
	"9499": { hint: "a field is wrong, or the body is over 20 KB" },
	"11232": { retryable: true, hint: "too many messages; full and half hours are the busiest" },
	"19001": { hint: "the token in the URL is wrong: paste the bot's URL again" },
	"19002": { hint: "the message form is wrong" },
	"19021": {
		hint: "the signature does not fit: set the bot's own secret on the channel; a clock off by over an hour does it too",
	},
	"19022": {
		hint: "Cloudflare Workers have no fixed address: secure the bot by keyword or signature, not by a list of addresses",
	},
	"19024": { hint: "the bot wants a keyword: set config.keyword to one of its keywords" },
	"19036": { hint: "the message is too large" },
};

/** 9499 is a bad request, and with some words a rate limit. */
export function feishuMeanings(code: string, message: string | undefined): CodeMeaning | undefined {
	if (code === "9499" && /too many/i.test(message ?? "")) return { retryable: true };
	return meanings[code];
}
