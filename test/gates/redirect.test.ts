import { describe, expect, it } from "vitest";
import type { GatedFetchOptions } from "../../src/gates/gated-fetch";
import { entries, failureOf, gated, redirect, server } from "./scripted-fetch";

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
