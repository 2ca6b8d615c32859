import type { BashOptions } from "just-bash/browser";
import type { GatedFetch } from "../../gates/gated-fetch";

/** Methods that change nothing at the other end. */
const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The only way out of a command line: `curl`'s requests go through the gate of every other tool, and `beforeEffect` ends before one that may change something is sent. */
export const secureFetch =
	(fetch: GatedFetch, beforeEffect: () => Promise<void>): NonNullable<BashOptions["fetch"]> =>
	async (url, { method = "GET", headers, body, timeoutMs, maxRedirects } = {}) => {
		if (!readMethods.has(method.toUpperCase())) await beforeEffect();
		const response = await fetch(url, {
			list: "http",
			method,
			follow: maxRedirects !== 0,
			...(headers && { headers: Object.fromEntries(new Headers(headers)) }),
			...(body && { body }),
			...(timeoutMs !== undefined && { timeoutMs }),
		});
		if (response.truncated)
			throw new Error(`The answer is longer than the ${response.body.length} bytes that were read.`);
		return {
			url: response.url,
			status: response.status,
			statusText: "",
			headers: Object.fromEntries(response.headers),
			body: response.body,
		};
	};
