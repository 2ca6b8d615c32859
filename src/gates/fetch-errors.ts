import { DeadlinePassed } from "../lib/deadline";
import { secretPatterns } from "../lib/redact-patterns";
import { stripControl, truncateChars } from "../lib/text";
import type { RequestReason } from "./headers";
import type { UrlReason } from "./url-verdict";

export type FetchRefusalReason = UrlReason | RequestReason | "redirect_downgrade" | "redirect_target_denied";

/** A request that the gates forbid; nothing was sent to the host that the message names. */
export class UrlRefused extends Error {
	override readonly name = "UrlRefused";
	readonly reason: FetchRefusalReason;
	constructor(reason: FetchRefusalReason, message: string) {
		super(message);
		this.reason = reason;
	}
}

export type FetchFailureReason = "timeout" | "cancelled" | "network" | "too_many_redirects" | "too_large";

/** A request that was allowed and got no whole answer. `message` shows no URL. */
export class FetchFailed extends Error {
	override readonly name = "FetchFailed";
	readonly reason: FetchFailureReason;
	constructor(reason: FetchFailureReason, message: string, options?: ErrorOptions) {
		super(message, options);
		this.reason = reason;
	}
}

/** Makes a typed failure of whatever a request threw; refusals pass unchanged. */
export function toFetchError(thrown: unknown, host: string, signal: AbortSignal): UrlRefused | FetchFailed {
	if (thrown instanceof UrlRefused || thrown instanceof FetchFailed) return thrown;
	if (signal.aborted) return new FetchFailed("cancelled", `The request to ${host} was cancelled.`);
	if (thrown instanceof DeadlinePassed) {
		return new FetchFailed("timeout", `${host} gave no whole answer within ${thrown.timeoutMs / 1000} seconds.`);
	}
	return new FetchFailed("network", `The request to ${host} failed: ${wordsOf(thrown)}`, { cause: thrown });
}

/** Runtimes like to quote the whole URL, which may itself be a credential. */
function wordsOf(thrown: unknown): string {
	const words = [thrown, thrown instanceof Error ? thrown.cause : undefined]
		.flatMap((error) => (error instanceof Error && error.message ? [withoutUrls(error.message)] : []))
		.join(": ");
	return truncateChars(secretPatterns.replace(stripControl(words)), 300) || "the connection broke.";
}

const withoutUrls = (text: string) => text.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*/gi, "[URL]");
