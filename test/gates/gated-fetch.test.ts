import { describe, expect, it } from "vitest";
import {
	type Fetch,
	FetchFailed,
	type GatedFetchOptions,
	type GatedRequest,
	UrlRefused,
} from "../../src/gates/gated-fetch";
import { failureOf, gated, redirect, server, text } from "./scripted-fetch";

describe("a gated fetch", () => {
	it("answers status, headers and body of an allowed host", async () => {
		const { fetch, sent } = server({
			"https://a.example/x": () => new Response("hello", { status: 404, headers: { "x-a": "1" } }),
		});
		const answer = await gated(fetch)("https://A.example/x#top", { list: "http" });
		expect({ ...answer, body: text(answer.body), headers: answer.headers.get("x-a") }).toEqual({
			url: "https://a.example/x",
			status: 404,
			headers: "1",
			body: "hello",
			truncated: false,
		});
		expect(sent).toEqual([
			{ url: "https://a.example/x", method: "GET", headers: { "user-agent": "oryx-edge/0.1" }, body: undefined },
		]);
	});

	it("takes a redirect for the answer when it is told not to follow", async () => {
		const { fetch, sent } = server({ "https://a.example/": redirect(302, "https://evil.net/") });
		const answer = await gated(fetch)("https://a.example/", { list: "http", follow: false });
		expect([answer.status, answer.url, answer.headers.get("location")]).toEqual([
			302,
			"https://a.example/",
			"https://evil.net/",
		]);
		expect(sent).toHaveLength(1);
	});

	it("sends method, headers and body as given, and no user agent of its own beside a given one", async () => {
		const { fetch, sent } = server();
		const headers = { "X-Key": "k", "User-Agent": "mine" };
		await gated(fetch)("https://a.example/", { list: "http", method: "put", headers, body: "data" });
		expect(sent).toEqual([
			{ url: "https://a.example/", method: "PUT", headers: { "x-key": "k", "user-agent": "mine" }, body: "data" },
		]);
	});

	it.each<[string, string, GatedRequest]>([
		["host_not_allowed", "https://evil.net/", { list: "http" }],
		["private_address", "https://169.254.169.254/", { list: "http" }],
		["userinfo_forbidden", "https://a:b@a.example/", { list: "http" }],
		["invalid_method", "https://a.example/", { list: "http", method: "TRACE" }],
		["forbidden_header", "https://a.example/", { list: "http", headers: { host: "x" } }],
		["invalid_method", "https://a.example/", { list: "http", method: "OPTIONS", body: "x" }],
	])("sends nothing when it refuses for %s", async (reason, url, request) => {
		const { fetch, sent } = server();
		const error = await failureOf(gated(fetch)(url, request));
		expect(error).toBeInstanceOf(UrlRefused);
		expect(error).toMatchObject({ reason });
		expect(sent).toEqual([]);
	});

	it("asks for the rules of the list and the method", async () => {
		const asked: unknown[] = [];
		const rulesFor: GatedFetchOptions["rulesFor"] = (list, method) => {
			asked.push([list, method]);
			return { mode: "public", allowLoopback: false };
		};
		const { fetch } = server({ "https://a.example/": redirect(303, "/next") });
		await gated(fetch, { rulesFor })("https://a.example/", { list: "browser", method: "post" });
		expect(asked).toEqual([
			["browser", "POST"],
			["browser", "GET"],
		]);
	});
});

describe("the caps", () => {
	it("cut the body at the bytes asked for, never more than the deployment's", async () => {
		const { fetch } = server({ "https://a.example/": () => new Response("x".repeat(5000)) });
		const ask = (maxBytes?: number) =>
			gated(fetch)("https://a.example/", { list: "http", ...(maxBytes && { maxBytes }) });
		expect(await ask(10)).toMatchObject({ truncated: true, body: { length: 10 } });
		expect(await ask(9999)).toMatchObject({ truncated: true, body: { length: 1000 } });
		expect(await ask()).toMatchObject({ truncated: true, body: { length: 1000 } });
	});

	it("do not call a body cut that just fits", async () => {
		const { fetch } = server({ "https://a.example/": () => new Response("x".repeat(1000)) });
		expect(await gated(fetch)("https://a.example/", { list: "http" })).toMatchObject({
			truncated: false,
			body: { length: 1000 },
		});
	});

	it("end a request whose headers never come, though fetch does not listen", async () => {
		const error = await failureOf(
			gated(() => new Promise(() => {}))("https://a.example/", { list: "http", timeoutMs: 20 }),
		);
		expect(error).toBeInstanceOf(FetchFailed);
		expect(error).toMatchObject({ reason: "timeout", message: "a.example gave no whole answer within 0.02 seconds." });
	});

	it("give the request a signal that ends with the deadline", async () => {
		let heard: unknown;
		const fetch: Fetch = (_, { signal }) =>
			new Promise((_resolve, reject) =>
				signal?.addEventListener("abort", () => {
					heard = signal.reason;
					reject(signal.reason);
				}),
			);
		await failureOf(gated(fetch, { timeoutMs: 20 })("https://a.example/", { list: "http" }));
		expect(heard).toMatchObject({ name: "DeadlinePassed" });
	});

	it("end with the caller's signal, before and during the request", async () => {
		const early = new AbortController();
		early.abort();
		const { fetch, sent } = server();
		const cancelled = { name: "FetchFailed", reason: "cancelled" };
		expect(
			await failureOf(gated(fetch, { signal: early.signal })("https://a.example/", { list: "http" })),
		).toMatchObject(cancelled);
		expect(sent).toEqual([]);
		const late = new AbortController();
		const pending = gated(() => new Promise(() => {}), { signal: late.signal })("https://a.example/", { list: "http" });
		late.abort();
		expect(await failureOf(pending)).toMatchObject(cancelled);
	});
});

describe("a network failure", () => {
	it("tells the host and the cause, and no URL", async () => {
		const cause = new Error("connect ECONNREFUSED 192.0.2.1:443");
		const thrown = new TypeError("fetch failed for https://a.example/hook/T0KEN?key=hunter2", { cause });
		const error = await failureOf(
			gated(() => Promise.reject(thrown))("https://a.example/hook/T0KEN?key=hunter2", { list: "http" }),
		);
		expect(error).toMatchObject({
			name: "FetchFailed",
			reason: "network",
			message: "The request to a.example failed: fetch failed for [URL]: connect ECONNREFUSED 192.0.2.1:443",
		});
	});

	it("in the middle of the body is one too", async () => {
		const broken = () =>
			new Response(
				new ReadableStream({ pull: (controller) => controller.error(new Error("Network connection lost.")) }),
			);
		const { fetch } = server({ "https://a.example/": broken });
		expect(await failureOf(gated(fetch)("https://a.example/", { list: "http" }))).toMatchObject({
			reason: "network",
			message: "The request to a.example failed: Network connection lost.",
		});
	});

	it("without words still makes a sentence", async () => {
		const error = await failureOf(gated(() => Promise.reject("nope"))("https://a.example/", { list: "http" }));
		expect(error).toMatchObject({ message: "The request to a.example failed: the connection broke." });
	});
});
