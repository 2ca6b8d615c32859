import { expect, it } from "vitest";
import { createGatedDownload, FetchFailed, type GatedFetchOptions, UrlRefused } from "../../src/gates/gated-fetch";
import { entries, failureOf, redirect, server } from "./scripted-fetch";

const download = (
	answers: Record<string, () => Response | Promise<Response>>,
	over: Partial<GatedFetchOptions> = {},
) => {
	const { fetch, sent } = server(answers);
	const made = createGatedDownload({
		fetch,
		rulesFor: (list) => ({ mode: "listed", entries, allowLoopback: false, list }),
		signal: new AbortController().signal,
		maxBytes: 1_000,
		timeoutMs: 1_000,
		...over,
	});
	return { sent, get: (url: string) => made(url, { list: "http" }, ({ body }) => new Response(body).text()) };
};

it("hands over the body of the last hop", async () => {
	const { get } = download({
		"https://a.example/": redirect(302, "https://b.example/x"),
		"https://b.example/x": () => new Response("content"),
	});
	expect(await get("https://a.example/")).toBe("content");
});

it.each([
	["https://evil.net/", "host_not_allowed"],
	["https://a.example/", "redirect_target_denied"],
])("refuses %s: %s", async (url, reason) => {
	const { get } = download({ "https://a.example/": redirect(302, "https://evil.net/") });
	const error = await failureOf(get(url));
	expect(error).toBeInstanceOf(UrlRefused);
	expect(error).toMatchObject({ reason });
});

it("breaks a body that is too large", async () => {
	const { get } = download({ "https://a.example/": () => new Response("x".repeat(1_001)) });
	const error = await failureOf(get("https://a.example/"));
	expect(error).toBeInstanceOf(FetchFailed);
	expect(error).toMatchObject({ reason: "too_large", message: "a.example answered with more than 1000 bytes." });
});

it("breaks a body that does not end in time", async () => {
	const { get } = download({ "https://a.example/": () => new Response(new ReadableStream()) }, { timeoutMs: 20 });
	expect(await failureOf(get("https://a.example/"))).toMatchObject({ reason: "timeout" });
});

it("breaks off when it is cancelled", async () => {
	const cancel = new AbortController();
	const { get } = download(
		{ "https://a.example/": () => new Response(new ReadableStream()) },
		{ signal: cancel.signal },
	);
	setTimeout(() => cancel.abort(), 10);
	expect(await failureOf(get("https://a.example/"))).toMatchObject({ reason: "cancelled" });
});

it("passes on what the taker throws by itself", async () => {
	const { fetch } = server({});
	const made = createGatedDownload({
		fetch,
		rulesFor: (list) => ({ mode: "listed", entries, allowLoopback: false, list }),
		signal: new AbortController().signal,
		maxBytes: 1_000,
		timeoutMs: 1_000,
	});
	const broken = new Error("The store is broken.");
	const take = () => Promise.reject(broken);
	expect(await failureOf(made("https://a.example/", { list: "http" }, take))).toBe(broken);
});
