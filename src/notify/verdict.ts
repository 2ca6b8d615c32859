import type * as z from "zod";
import { parseJson } from "../lib/parse-json";
import { stripControl, truncateChars } from "../lib/text";
import type { PartVerdict } from "./notifier";
import { showUrl } from "./show-url";

/** What is known of one code of a provider beyond the words it comes with. */
export interface CodeMeaning {
	readonly retryable?: boolean;
	readonly retryAfterMs?: number;
	/** What to do about it. */
	readonly hint?: string;
}

export type CodeMeanings = Readonly<Record<string, CodeMeaning>>;

/** A success; where the provider says so by a code of its own, with that code and what it adds, which may be a warning. */
export const succeeded = (
	httpStatus: number,
	said?: { code: string; message?: string | null | undefined },
): PartVerdict => ({
	ok: true,
	httpStatus,
	...(said && { providerCode: said.code }),
	...(said?.message && { providerMessage: excerpt(said.message) }),
	retryable: false,
});

/** Reads a JSON body, or answers undefined when it is HTML, empty or of another shape. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
	const json = parseJson(text);
	return json.ok ? schema.safeParse(json.value).data : undefined;
}

/** A failure that the provider names by a code. The HTTP status may make it retryable, never a success. */
export function failed(
	answer: { readonly status: number; readonly headers: Headers },
	{ code, message, meaning = {} }: { code: string; message?: string | undefined; meaning?: CodeMeaning | undefined },
): PartVerdict {
	const retryable = meaning.retryable ?? isRetryableStatus(answer.status);
	const retryAfterMs = retryable ? (meaning.retryAfterMs ?? retryAfter(answer.headers)) : undefined;
	const words = [message && excerpt(message), meaning.hint && `(${meaning.hint})`].filter(Boolean).join(" ");
	return {
		ok: false,
		httpStatus: answer.status,
		providerCode: truncateChars(code, 64),
		...(words && { providerMessage: words }),
		...(retryAfterMs !== undefined && { retryAfterMs }),
		retryable,
	};
}

/** A body that is not what the provider answers with: a firewall's page, a proxy's error, nothing at all. */
export const unparseable = (
	answer: { readonly status: number; readonly headers: Headers; readonly text: string },
	meaning?: CodeMeaning,
): PartVerdict =>
	failed(answer, { code: "unparseable", message: excerpt(answer.text) || "The answer is empty.", meaning });

/** An answer that leads elsewhere is a failure whatever the type: a channel's address is its credential and is not handed on. */
export function redirected(status: number, headers: Headers): PartVerdict {
	const target = showUrl(headers.get("location") ?? "");
	return failed(
		{ status, headers },
		{ code: "redirect", message: `The address redirects to ${target}, which is not followed.` },
	);
}

/**
 * Statuses by which a server between us and the provider says that no answer came back to it; the request may have been served.
 * 520, 522 and 524 are Cloudflare's: https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
export const isAnswerLost = (status: number): boolean => [504, 520, 522, 524].includes(status);

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const isRetryableStatus = (status: number) => status === 429 || status >= 500;

/** The first 200 characters, on one line. */
const excerpt = (text: string) => truncateChars(stripControl(text).replace(/\s+/g, " ").trim(), 200);

/** `Retry-After` in milliseconds: seconds, or a date against the date of the answer itself. */
function retryAfter(headers: Headers): number | undefined {
	const value = headers.get("retry-after")?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
	const wait = Date.parse(value) - Date.parse(headers.get("date") ?? "");
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
