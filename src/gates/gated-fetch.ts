import { type CappedStream, cappedStream } from "../lib/capped-stream";
import { withDeadline } from "../lib/deadline";
import { readCapped } from "../lib/read-capped";
import { FetchFailed, toFetchError, UrlRefused } from "./fetch-errors";
import { judgeRequest } from "./headers";
import { type Hop, isRedirect, nextHop } from "./redirect";
import { judgeUrl } from "./url";
import type { UrlRules } from "./url-verdict";

export { FetchFailed, UrlRefused } from "./fetch-errors";

/** Which list must hold the host. */
export type UrlList = "http" | "browser";

export interface GatedRequest {
	readonly list: UrlList;
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** For POST, PUT, PATCH and DELETE. */
	readonly body?: string;
	/** False: a redirect is the answer. True without it. */
	readonly follow?: boolean;
	/** Never more than the deployment's own limits. */
	readonly maxBytes?: number;
	readonly timeoutMs?: number;
}

export interface GatedResponse {
	/** The URL that answered, after redirects, without userinfo. */
	readonly url: string;
	readonly status: number;
	readonly headers: Headers;
	/** Decoded bytes, at most `maxBytes`. */
	readonly body: Uint8Array;
	readonly truncated: boolean;
}

/**
 * The only way out: judges the URL and each redirect hop against the lists, follows by hand, caps time and bytes.
 * Throws `UrlRefused` for a refusal, `FetchFailed` for a network failure or a timeout.
 */
export type GatedFetch = (url: string, request: GatedRequest) => Promise<GatedResponse>;

/** A response whose body comes piece by piece: it breaks after `maxBytes` decoded bytes and at the deadline. */
export interface GatedStream extends Omit<GatedResponse, "body" | "truncated"> {
	readonly body: ReadableStream<Uint8Array>;
}

/**
 * The same way out for what is too large to be held: `take` gets the response and answers when it is done with the body,
 * all under the deadline. Throws as `GatedFetch` does, and whatever `take` throws by itself.
 */
export type GatedDownload = <Result>(
	url: string,
	request: GatedRequest,
	take: (response: GatedStream) => Promise<Result>,
) => Promise<Result>;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface GatedFetchOptions {
	readonly fetch: Fetch;
	readonly rulesFor: (list: UrlList, method: string) => UrlRules;
	readonly signal: AbortSignal;
	readonly maxBytes: number;
	readonly timeoutMs: number;
}

const maxRedirects = 5;
const userAgent = "oryx-edge/0.1";

/**
 * The only way out: judges the request, its URL and each redirect hop, follows by hand, caps time and decoded bytes.
 * Throws `UrlRefused` for a refusal, `FetchFailed` for a network failure, a timeout or a cancellation.
 */
export function createGatedFetch(options: GatedFetchOptions): GatedFetch {
	return async (url, request) => {
		const first = firstHop(url, request, options);
		const { timeoutMs, maxBytes } = limitsOf(request, options);
		try {
			return await withDeadline(options.signal, timeoutMs, async (signal) => {
				const { hop, response } = await send(first, request, { ...options, signal });
				const { bytes, truncated } = await readCapped(response.body, maxBytes, signal);
				const { status, headers } = response;
				return { url: hop.url.href, status, headers, body: bytes, truncated };
			});
		} catch (error) {
			throw toFetchError(error, first.url.hostname, options.signal);
		}
	};
}

/** The same as a stream. */
export function createGatedDownload(options: GatedFetchOptions): GatedDownload {
	return async (url, request, take) => {
		const first = firstHop(url, request, options);
		const { timeoutMs, maxBytes } = limitsOf(request, options);
		const { hostname } = first.url;
		const tooMany = () => new FetchFailed("too_large", `${hostname} answered with more than ${maxBytes} bytes.`);
		let body: CappedStream | undefined;
		try {
			return await withDeadline(options.signal, timeoutMs, async (signal) => {
				const { hop, response } = await send(first, request, { ...options, signal });
				body = cappedStream(response.body, { maxBytes, signal, tooMany });
				const { status, headers } = response;
				return await take({ url: hop.url.href, status, headers, body: body.stream });
			});
		} catch (error) {
			const broken = body?.failure();
			if (body && broken === undefined) throw error;
			throw toFetchError(broken ?? error, hostname, options.signal);
		}
	};
}

const limitsOf = (asked: GatedRequest, { maxBytes, timeoutMs }: GatedFetchOptions) => ({
	maxBytes: Math.min(asked.maxBytes ?? maxBytes, maxBytes),
	timeoutMs: Math.min(asked.timeoutMs ?? timeoutMs, timeoutMs),
});

/** Throws `UrlRefused` when the request may not be made. */
function firstHop(raw: string, request: GatedRequest, { rulesFor }: GatedFetchOptions): Hop {
	const { headers = {}, body, list } = request;
	const judged = judgeRequest({ method: request.method ?? "GET", headers });
	if (!judged.ok) throw new UrlRefused(judged.reason, judged.message);
	const { method } = judged;
	if (body !== undefined && ["GET", "HEAD", "OPTIONS"].includes(method)) {
		throw new UrlRefused("invalid_method", `A ${method} request carries no body. Use POST, PUT, PATCH or DELETE.`);
	}
	const verdict = judgeUrl(raw, rulesFor(list, method));
	if (!verdict.ok) throw new UrlRefused(verdict.reason, verdict.message);
	const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === "user-agent");
	return { url: verdict.url, method, headers: isNamed ? headers : { ...headers, "user-agent": userAgent }, body };
}

async function send(
	first: Hop,
	{ list, follow = true }: GatedRequest,
	{ fetch, rulesFor, signal }: GatedFetchOptions,
): Promise<{ hop: Hop; response: Response }> {
	let hop = first;
	for (let redirects = 0; redirects <= maxRedirects; redirects++) {
		const { url, method, headers, body } = hop;
		url.hash = "";
		const init = { method, headers, redirect: "manual", signal } as const;
		const response = await fetch(url.href, body === undefined ? init : { ...init, body });
		const location = follow && isRedirect(response.status) ? response.headers.get("location") : null;
		if (location === null) return { hop, response };
		await response.body?.cancel();
		hop = nextHop(hop, { status: response.status, location }, (method) => rulesFor(list, method));
	}
	throw new FetchFailed("too_many_redirects", `${first.url.hostname} redirected more than ${maxRedirects} times.`);
}
