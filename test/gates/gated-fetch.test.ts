import { describe, expect, it } from "vitest";
import {
	createGatedFetch,
	type Fetch,
	FetchFailed,
	type GatedFetchOptions,
	type GatedRequest,
	UrlRefused,
} from "../../src/gates/gated-fetch";

const entries = ["*.shop.example", "http://plain.example", "a.example", "b.example"];

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

/** A fetch that answers from a table by URL and keeps what it was asked. */
function server(answers: Record<string, () => Response | Promise<Response>> = {}) {
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

const gated = (fetch: Fetch, over: Partial<GatedFetchOptions> = {}) =>
	createGatedFetch({
		fetch,
		rulesFor: (list) => ({ mode: "listed", entries, allowLoopback: false, list }),
		signal: new AbortController().signal,
		maxBytes: 1000,
		timeoutMs: 1000,
		...over,
	});

const redirect = (status: number, location: string) => () => new Response("moved", { status, headers: { location } });
const failureOf = (promise: Promise<unknown>) =>
	promise.then(
		() => undefined,
		(error: unknown) => error,
	);
const text = (body: Uint8Array) => new TextDecoder().decode(body);

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

describe("a redirect", () => {
	const secret = { Authorization: "Bearer S", Cookie: "c=1", "X-Api-Key": "k", Accept: "text/plain" };

	it("to another origin loses every header that could be a credential", async () => {
		const { fetch, sent } = server({ "https://a.example/": redirect(302, "https://b.example/x") });
		const answer = await gated(fetch)("https://a.example/", { list: "http", headers: secret });
		expect(answer.url).toBe("https://b.example/x");
		expect(sent[1]?.headers).toEqual({ accept: "text/plain", "user-agent": "oryx-edge/0.1" });
	});

	it("does not get the credentials back on its way home", async () => {
		const { fetch, sent } = server({
			"https://a.example/": redirect(302, "https://b.example/"),
			"https://b.example/": redirect(302, "https://a.example/end"),
		});
		await gated(fetch)("https://a.example/", { list: "http", headers: secret });
		expect(sent[2]?.url).toBe("https://a.example/end");
		expect(sent[2]?.headers).not.toHaveProperty("authorization");
	});

	it("within one origin keeps its headers", async () => {
		const { fetch, sent } = server({ "https://a.example/": redirect(302, "next?x=1") });
		await gated(fetch)("https://a.example/", { list: "http", headers: secret });
		expect(sent[1]).toMatchObject({
			url: "https://a.example/next?x=1",
			headers: { authorization: "Bearer S", cookie: "c=1" },
		});
	});

	it.each([301, 302, 303])("of status %i becomes a GET without body and its headers", async (status) => {
		const { fetch, sent } = server({ "https://a.example/": redirect(status, "/next") });
		const headers = { "Content-Type": "text/plain", Accept: "*/*" };
		await gated(fetch)("https://a.example/", { list: "http", method: "POST", headers, body: "data" });
		expect(sent[1]).toMatchObject({ method: "GET", body: undefined });
		expect(sent[1]?.headers).not.toHaveProperty("content-type");
	});

	it.each([301, 303])("of status %i lets a HEAD stay one", async (status) => {
		const { fetch, sent } = server({ "https://a.example/": redirect(status, "/next") });
		await gated(fetch)("https://a.example/", { list: "http", method: "HEAD" });
		expect(sent[1]?.method).toBe("HEAD");
	});

	it.each([307, 308])("of status %i repeats method and body to a listed host", async (status) => {
		const { fetch, sent } = server({ "https://a.example/": redirect(status, "https://b.example/") });
		const headers = { "Content-Type": "text/plain" };
		await gated(fetch)("https://a.example/", { list: "http", method: "PATCH", headers, body: "data" });
		expect(sent[1]).toMatchObject({ url: "https://b.example/", method: "PATCH", body: "data" });
		expect(sent[1]?.headers).toHaveProperty("content-type", "text/plain");
	});

	it("never carries a body to a host that is open to reads only", async () => {
		const rulesFor: GatedFetchOptions["rulesFor"] = (_, method) =>
			method === "GET"
				? { mode: "public", entries, allowLoopback: false }
				: { mode: "listed", entries, allowLoopback: false };
		const { fetch, sent } = server({ "https://a.example/": redirect(307, "https://public.net/") });
		const error = await failureOf(
			gated(fetch, { rulesFor })("https://a.example/", { list: "http", method: "POST", body: "secret" }),
		);
		expect(error).toMatchObject({ name: "UrlRefused", reason: "redirect_target_denied" });
		expect(sent).toHaveLength(1);
	});

	it.each([
		["https://evil.net/?key=hunter2", "host_not_allowed"],
		["//evil.net/", "host_not_allowed"],
		["/\\evil.net/", "host_not_allowed"],
		["https://127.0.0.1/", "private_address"],
		["https://u:hunter2@b.example/", "userinfo_forbidden"],
		["file:///etc/passwd", "scheme_not_allowed"],
		["https://b.example:8443/", "port_not_allowed"],
		["https://[", "invalid_url"],
	])("to %s is refused, and the message says %s", async (location, why) => {
		const { fetch, sent } = server({ "https://a.example/": redirect(302, location) });
		const error = await failureOf(gated(fetch)("https://a.example/", { list: "http" }));
		expect(error).toMatchObject({
			name: "UrlRefused",
			reason: "redirect_target_denied",
			message: expect.stringContaining(why),
		});
		expect(String(error)).not.toContain("hunter2");
		expect(sent).toHaveLength(1);
	});

	it("from https to http is refused even when the host may be reached by http", async () => {
		const { fetch, sent } = server({ "https://plain.example/": redirect(302, "http://plain.example/") });
		const error = await failureOf(gated(fetch)("https://plain.example/", { list: "http" }));
		expect(error).toMatchObject({ reason: "redirect_downgrade" });
		expect(sent).toHaveLength(1);
	});

	it("from http to https is followed", async () => {
		const { fetch } = server({ "http://plain.example/": redirect(301, "https://plain.example/") });
		expect(await gated(fetch)("http://plain.example/", { list: "http" })).toMatchObject({
			url: "https://plain.example/",
		});
	});

	it("is followed five times and no more, each body let go", async () => {
		let cancelled = 0;
		const loop = () => {
			const body = new ReadableStream({ cancel: () => void cancelled++ });
			return new Response(body, { status: 302, headers: { location: "https://a.example/" } });
		};
		const { fetch, sent } = server({ "https://a.example/": loop });
		const error = await failureOf(gated(fetch)("https://a.example/", { list: "http" }));
		expect(error).toMatchObject({ name: "FetchFailed", reason: "too_many_redirects" });
		expect(sent).toHaveLength(6);
		expect(cancelled).toBe(6);
	});

	it.each([
		["302 without a location", () => new Response("here", { status: 302 })],
		["304", () => new Response(null, { status: 304, headers: { location: "https://b.example/" } })],
	])("that is none is an answer: %s", async (_, answer) => {
		const { fetch, sent } = server({ "https://a.example/": answer });
		expect([302, 304]).toContain((await gated(fetch)("https://a.example/", { list: "http" })).status);
		expect(sent).toHaveLength(1);
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
