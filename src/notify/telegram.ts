import * as z from "zod";
import { AppError } from "../shared/errors";
import { providerCode } from "./coded-verdict";
import type { Notifier, PartVerdict } from "./notifier";
import { partsOf, titledText } from "./parts";
import { pastedUrl } from "./pasted-url";
import { utf16Units } from "./units";
import { type CodeMeaning, failed, readJson, succeeded, unparseable } from "./verdict";

const hosts = ["api.telegram.org"];
const botToken = /^\d{5,}:[\w-]{20,}$/;

const answer = z.looseObject({
	ok: z.boolean(),
	error_code: providerCode.nullish(),
	description: z.string().nullish(),
	parameters: z
		.looseObject({
			/** Seconds. */
			retry_after: z.number().nonnegative().nullish(),
			migrate_to_chat_id: providerCode.nullish(),
		})
		.nullish(),
});

/** Telegram bot: https://core.telegram.org/bots/api#sendmessage */
export const telegram: Notifier = {
	type: "telegram",
	hosts,
	rate: { burst: 2, perMinute: 18 },
	normalise(url, config) {
		if (!config.chatId) throw new AppError("invalid_input", "config.chatId: name the chat that the bot writes to.");
		const pasted = url.trim();
		const address = botToken.test(pasted) ? `https://api.telegram.org/bot${pasted}` : pasted;
		const path = /^\/bot\d{5,}:[\w-]{20,}(\/sendMessage)?\/?$/;
		const parsed = pastedUrl(address, { hosts, path, example: "https://api.telegram.org/bot<token>" });
		parsed.pathname = `${parsed.pathname.replace(/\/(sendMessage\/?)?$/, "")}/sendMessage`;
		return parsed.href;
	},
	split: (notice, config) => partsOf(titledText(notice), config, { limit: 4096, measure: utf16Units }),
	async request({ url, config }, part, _notice, _at, form) {
		const body = {
			chat_id: form?.chatId ?? config.chatId,
			text: part,
			...(config.msgtype === "markdown" && !form?.plain && { parse_mode: "Markdown" }),
			...(config.messageThreadId !== undefined && { message_thread_id: config.messageThreadId }),
			link_preview_options: { is_disabled: true },
		};
		return { url, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
	},
	verdict(status, headers, text) {
		const read = readJson(answer, text);
		if (!read) return unparseable({ status, headers, text });
		if (read.ok) return succeeded(status);
		const code = read.error_code ?? String(status);
		const message = read.description ?? undefined;
		const seconds = read.parameters?.retry_after;
		const retryAfterMs = typeof seconds === "number" && seconds * 1000;
		const meaning = { ...meaningOf(code, message), ...(retryAfterMs !== false && { retryAfterMs }) };
		const verdict = failed({ status, headers }, { code, message, meaning });
		const resendAs = formFor(message, read.parameters?.migrate_to_chat_id ?? undefined);
		return resendAs ? { ...verdict, resendAs } : verdict;
	},
};

function formFor(message: string | undefined, chatId: string | undefined): PartVerdict["resendAs"] {
	if (chatId !== undefined) return { chatId };
	return /can't parse entities/i.test(message ?? "") ? { plain: true } : undefined;
}

function meaningOf(code: string, message = ""): CodeMeaning | undefined {
	if (code === "401") return { hint: "the bot's token is wrong: paste it again" };
	if (code === "403") return { hint: "the bot was blocked or removed: let it into the chat again" };
	if (/chat not found/i.test(message))
		return { hint: "config.chatId is wrong, or the bot has never been in that chat" };
	if (code === "429") return { retryable: true };
	return undefined;
}
