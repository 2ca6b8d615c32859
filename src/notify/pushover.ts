import * as z from "zod";
import { truncateChars } from "../lib/text";
import type { ChannelConfig } from "../shared/channel";
import { AppError } from "../shared/errors";
import type { ChannelTarget, Notifier } from "./notifier";
import { partsOf } from "./parts";
import { pastedUrl } from "./pasted-url";
import { codePoints } from "./units";
import { type CodeMeaning, failed, readJson, succeeded, unparseable } from "./verdict";

const hosts = ["api.pushover.net"];
const messages = "https://api.pushover.net/1/messages.json";

const answer = z.looseObject({
	status: z.number(),
	errors: z.array(z.string()).nullish(),
});

/** Pushover: https://pushover.net/api. The application's token is the channel's secret, or `?token=` in its URL. */
export const pushover: Notifier = {
	type: "pushover",
	hosts,
	sendsSecret: true,
	rate: { burst: 2, perMinute: 30 },
	normalise(url, config, secret) {
		const pasted = url.trim();
		const address = /^\w{30}$/.test(pasted) ? `${messages}?token=${pasted}` : pasted;
		const parsed = pastedUrl(address, { hosts, path: /^\/1\/messages\.json$/, example: messages });
		if (!config.user)
			throw new AppError("invalid_input", "config.user: give the key of the user or group that is told.");
		if (!secret && !parsed.searchParams.get("token")) {
			throw new AppError("invalid_input", "secret: give the application's token.");
		}
		return parsed.href;
	},
	split: (notice, config) => partsOf(notice.content, config, { limit: 1024, measure: codePoints }),
	async request(target, part, notice, at) {
		const { url, token } = addressed(target);
		const form = new URLSearchParams({ token, user: target.config.user ?? "", message: part });
		if (notice.title) form.set("title", firstCodePoints(notice.title, 250));
		form.set("timestamp", String(Math.floor(at.getTime() / 1000)));
		for (const [name, value] of Object.entries(options(target.config))) form.set(name, String(value));
		return { url, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: form.toString() };
	},
	verdict(status, headers, text) {
		const read = readJson(answer, text);
		if (!read) return unparseable({ status, headers, text }, meaningOf(status));
		if (read.status === 1 && status === 200) return succeeded(status);
		return failed(
			{ status, headers },
			{ code: `http_${status}`, message: read.errors?.join("; "), meaning: meaningOf(status) },
		);
	},
};

/** Asking again is forbidden after every answer below 500; 429 is the quota of a month, no rate limit. */
function meaningOf(status: number): CodeMeaning {
	if (status >= 500) return { retryable: true, retryAfterMs: 5000 };
	if (status !== 429) return { retryable: false };
	return { retryable: false, hint: "the application's messages of this month are used up" };
}

function addressed({ url, secret }: ChannelTarget): { url: string; token: string } {
	const address = new URL(url);
	const token = address.searchParams.get("token") ?? secret ?? "";
	address.search = "";
	return { url: address.href, token };
}

/** Priority 2 must say how often it repeats and when it stops. */
function options({ priority, retry = 60, expire = 3600, device, sound }: ChannelConfig) {
	return {
		...(device && { device }),
		...(sound && { sound }),
		...(priority !== undefined && { priority }),
		...(priority === 2 && { retry, expire }),
	};
}

const firstCodePoints = (text: string, max: number) =>
	Array.from(truncateChars(text, max * 2))
		.slice(0, max)
		.join("");
