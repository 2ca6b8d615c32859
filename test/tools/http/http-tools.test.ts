import { describe, expect, it } from "vitest";
import { httpGet } from "../../../src/tools/http/http-get";
import { httpPost } from "../../../src/tools/http/http-post";
import { httpRequest } from "../../../src/tools/http/http-request";
import { callIn, type Over, toolWorld } from "../../support/tool-context";

const http = ["api.example.com"];
const url = "https://api.example.com/v1/things?x=1";
const json = (body: unknown, init?: ResponseInit) =>
	new Response(JSON.stringify(body), { headers: { "content-type": "application/json", "x-trace": "t1" }, ...init });
const answering = (answer: Over["answer"], over: Over = {}) => toolWorld({ http, ...(answer && { answer }), ...over });

describe("http_get", () => {
	it("answers status, kind and body", async () => {
		const world = answering(() => json({ a: 1 }));
		expect(await callIn(world, httpGet, { url })).toEqual({
			success: true,
			content: 'HTTP 200 OK\ncontent-type: application/json\n\n{"a":1}',
			meta: { httpStatus: 200 },
		});
		expect(world.sent).toMatchObject([{ url, method: "GET", body: undefined }]);
	});

	it("is a success whatever the status", async () => {
		const world = answering(() => new Response("no such thing", { status: 404 }));
		expect(await callIn(world, httpGet, { url })).toMatchObject({
			success: true,
			content: expect.stringMatching(/^HTTP 404 Not Found\n.*\n\nno such thing$/s),
			meta: { httpStatus: 404 },
		});
	});

	it("says who answered after a redirect", async () => {
		const world = answering(({ url: at }) =>
			at.endsWith("/new")
				? new Response("moved here")
				: new Response(null, { status: 301, headers: { location: "/new" } }),
		);
		expect(await callIn(world, httpGet, { url })).toHaveProperty(
			"content",
			expect.stringContaining("(answered by https://api.example.com/new)"),
		);
	});

	it("decodes the charset that the answer names", async () => {
		const gbk = new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]);
		const world = answering(() => new Response(gbk, { headers: { "content-type": "text/plain; charset=GBK" } }));
		expect(await callIn(world, httpGet, { url })).toHaveProperty("content", expect.stringMatching(/\n\n你好$/));
	});

	it("describes a body that is no text", async () => {
		const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]);
		const world = answering(() => new Response(png, { headers: { "content-type": "image/png" } }));
		expect(await callIn(world, httpGet, { url })).toHaveProperty(
			"content",
			"HTTP 200 OK\ncontent-type: image/png\n\n[image/png, 8 bytes: not text, so it is not shown.]",
		);
	});

	it("marks a body that is cut at the byte limit", async () => {
		const world = answering(() => new Response("x".repeat(5_000)), { settings: { http: { maxResponseBytes: 1_000 } } });
		const result = await callIn(world, httpGet, { url });
		expect(result).toMatchObject({ success: true, meta: { httpStatus: 200, truncated: true } });
		expect(result).toHaveProperty(
			"content",
			expect.stringMatching(/x{1000}\n\[Cut here: .* 1000 bytes that were read\.\]$/),
		);
	});
});

describe("http_post", () => {
	it.each([
		["a text", '{"a": 1}', '{"a": 1}'],
		["an object", { a: 1 }, '{"a":1}'],
		["a list", [1, 2], "[1,2]"],
	])("sends %s as JSON", async (_, body, sent) => {
		const world = answering(() => json({ ok: true }, { status: 201 }));
		expect(await callIn(world, httpPost, { url, body })).toMatchObject({ success: true, meta: { httpStatus: 201 } });
		expect(world.sent).toMatchObject([{ method: "POST", body: sent }]);
		expect(world.sent[0]?.headers.get("content-type")).toBe("application/json");
	});
});

describe("http_request", () => {
	it("answers the status line, every header and the body", async () => {
		const result = await callIn(
			answering(() => json([1])),
			httpRequest,
			{ url },
		);
		expect(result).toHaveProperty("content", "HTTP 200 OK\ncontent-type: application/json\nx-trace: t1\n\n[1]");
	});

	it.each(["POST", "PUT", "PATCH", "DELETE"])("sends headers and body with %s", async (method) => {
		const world = answering(() => new Response(null, { status: 204 }));
		const headers = { "Content-Type": "text/csv", "X-Count": 2 };
		expect(await callIn(world, httpRequest, { url, method: method.toLowerCase(), headers, body: "a,b" })).toMatchObject(
			{
				content: "HTTP 204 No Content\n\n",
			},
		);
		expect(world.sent).toMatchObject([{ method, body: "a,b" }]);
		expect(Object.fromEntries(world.sent[0]?.headers ?? [])).toMatchObject({
			"content-type": "text/csv",
			"x-count": "2",
		});
	});

	it.each(["GET", "HEAD", "OPTIONS"])(
		"sends headers with %s, and refuses a body that would be lost",
		async (method) => {
			const world = answering(() => new Response(null, { status: 204 }));
			const headers = { authorization: "Bearer abc" };
			await callIn(world, httpRequest, { url, method, headers, body: "" });
			expect(world.sent).toMatchObject([{ method, body: undefined }]);
			expect(world.sent[0]?.headers.get("authorization")).toBe("Bearer abc");
			const refused = await callIn(world, httpRequest, { url, method, body: "a" });
			expect(refused).toMatchObject({ success: false, code: "invalid_arguments", retryable: true });
			expect(world.sent).toHaveLength(1);
		},
	);

	it.each([
		["lines", "Accept: text/plain\r\nX-Note: a: b\n\n"],
		["JSON in a text", '{"Accept": "text/plain", "X-Note": "a: b"}'],
		["a record", { Accept: "text/plain", "X-Note": "a: b" }],
	])("reads headers given as %s", async (_, headers) => {
		const world = answering(() => new Response("ok"));
		await callIn(world, httpRequest, { url, headers });
		expect(Object.fromEntries(world.sent[0]?.headers ?? [])).toMatchObject({ accept: "text/plain", "x-note": "a: b" });
	});

	it("waits as long as is asked, and never longer than half a minute", async () => {
		const slow = answering(({ url: _ }) => new Promise<Response>(() => {}));
		const result = await callIn(slow, httpRequest, { url, timeout_secs: "0.2" });
		expect(result).toMatchObject({ success: false, code: "timeout", retryable: true });
		expect(httpRequest.input.parse({ url, timeout_secs: 600 })).toMatchObject({ timeout_secs: 30 });
	});

	it("fills in the method that argument rules look at", () => {
		expect(httpRequest.input.parse({ url })).toMatchObject({ method: "GET" });
		expect(httpRequest.input.parse({ url, headers: "AUTHORIZATION: x" })).toMatchObject({
			headers: { authorization: "x" },
		});
	});

	it.each([
		[{ url, method: "TRACE" }, "invalid_arguments", "method"],
		[{ url, headers: "Host: evil.example" }, "not_listed", "host"],
		[{ url, headers: "no header at all" }, "not_listed", "header name"],
		[{ url, headers: { "X-A": "a\r\nX-B: b" } }, "not_listed", "x-a"],
		[{ url, headers: 7 }, "invalid_arguments", "headers"],
	])("refuses %j unsent", async (args, code, message) => {
		const world = answering(() => new Response("leaked"));
		const result = await callIn(world, httpRequest, args);
		expect(result).toMatchObject({ success: false, code });
		expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
		expect(world.sent).toEqual([]);
	});
});

describe("every HTTP tool", () => {
	const calls = [
		["http_get", httpGet, {}],
		["http_post", httpPost, { body: "{}" }],
		["http_request", httpRequest, { method: "PUT", body: "{}" }],
	] as const;

	it.each(calls)("%s contacts no host that is not listed", async (_, tool, args) => {
		const world = answering(() => new Response("leaked"));
		for (const target of [
			"https://other.example/",
			"http://api.example.com/",
			"https://127.0.0.1/",
			"https://x@api.example.com/",
		]) {
			expect(await callIn(world, tool, { ...args, url: target })).toMatchObject({
				success: false,
				code: "not_listed",
				errorMessage: expect.stringMatching(/HTTP list/),
				retryable: false,
				meta: { gate: "lists" },
			});
		}
		expect(world.sent).toEqual([]);
	});

	it.each(calls)("%s follows no redirect off the list", async (_, tool, args) => {
		const world = answering(() => new Response(null, { status: 307, headers: { location: "https://other.example/" } }));
		expect(await callIn(world, tool, { ...args, url })).toMatchObject({
			success: false,
			code: "not_listed",
			retryable: false,
			meta: { gate: "lists", reason: "redirect_target_denied" },
		});
		expect(world.sent).toHaveLength(1);
	});

	it("may be tried again when a read failed, and not when a write did", async () => {
		const world = answering(() => {
			throw new TypeError("connection reset");
		});
		expect(await callIn(world, httpGet, { url })).toMatchObject({ success: false, code: "upstream", retryable: true });
		expect(await callIn(world, httpRequest, { url, method: "HEAD" })).toMatchObject({
			code: "upstream",
			retryable: true,
		});
		expect(await callIn(world, httpPost, { url, body: "{}" })).toMatchObject({
			success: false,
			code: "upstream",
			errorMessage: expect.stringContaining("may have acted on the POST"),
			retryable: false,
		});
	});

	it("ends at once when its call is cancelled", async () => {
		const controller = new AbortController();
		const world = answering(() => new Promise<Response>(() => {}), { signal: controller.signal });
		const result = callIn(world, httpGet, { url });
		setTimeout(() => controller.abort(), 10);
		expect(await result).toMatchObject({ success: false, code: "cancelled", retryable: false });
	});

	it("throws what is no failure of a request", async () => {
		const world = toolWorld({ http });
		const broken = { ...world, ctx: { ...world.ctx, fetch: () => Promise.reject(new RangeError("a bug")) } };
		await expect(callIn(broken, httpGet, { url })).rejects.toThrow("a bug");
	});
});
