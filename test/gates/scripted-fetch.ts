import { expect } from "vitest";
import { createGatedFetch, type Fetch, type GatedFetchOptions } from "../../src/gates/gated-fetch";

export const entries = ["*.shop.example", "http://plain.example", "a.example", "b.example"];

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

/** A fetch that answers from a table by URL and keeps what it was asked. */
export function server(answers: Record<string, () => Response | Promise<Response>> = {}) {
	const sent: Sent[] = [];
	const fetch: Fetch = async (url, init) => {
		expect(init.redirect).toBe("manual");
		sent.push({
			url,
			method: init.method ?? "",
			headers: Object.fromEntries(new Headers(init.headers)),
			body: init.body,
		});
		return (await answers[url]?.()) ?? new Response("fine");
	};
	return { sent, fetch };
}

export const gated = (fetch: Fetch, over: Partial<GatedFetchOptions> = {}) =>
	createGatedFetch({
		fetch,
		rulesFor: (list) => ({ mode: "listed", entries, allowLoopback: false, list }),
		signal: new AbortController().signal,
		maxBytes: 1000,
		timeoutMs: 1000,
		...over,
	});

export const redirect = (status: number, location: string) => () =>
	new Response("moved", { status, headers: { location } });
export const failureOf = (promise: Promise<unknown>) =>
	promise.then(
		() => undefined,
		(error: unknown) => error,
	);
export const text = (body: Uint8Array) => new TextDecoder().decode(body);
