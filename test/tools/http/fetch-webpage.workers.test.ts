import { describe, expect, it } from "vitest";
import { fetchWebpage } from "../../../src/tools/http/fetch-webpage";
import { webFetch } from "../../../src/tools/http/web-fetch";
import { callIn, type Over, toolWorld } from "../../support/tool-context";

const url = "https://docs.example.com/guide/";
const page = (body: BodyInit, contentType = "text/html", init: ResponseInit = {}) =>
	new Response(body, { headers: { "content-type": contentType }, ...init });
const read = async (answer: Over["answer"], over: Over = {}) =>
	await callIn(toolWorld({ http: ["docs.example.com"], ...(answer && { answer }), ...over }), fetchWebpage, { url });

describe("fetch_webpage", () => {
	it("answers title, address and Markdown", async () => {
		const html = "<title>Guide</title><h1>Guide</h1><p>See <a href='next'>the next page</a>.";
		expect(await read(() => page(html))).toEqual({
			success: true,
			content: `Title: Guide\nURL: ${url}\n\n# Guide\n\nSee [the next page](https://docs.example.com/guide/next).`,
			meta: { httpStatus: 200 },
		});
	});

	it("resolves links by the page that answered", async () => {
		const result = await read(({ url: at }) =>
			at === url ? new Response(null, { status: 302, headers: { location: "/moved/" } }) : page("<a href=x>x</a>"),
		);
		expect(result).toHaveProperty(
			"content",
			"URL: https://docs.example.com/moved/\n\n[x](https://docs.example.com/moved/x)",
		);
	});

	it("decodes a page in GBK that declares it in its head", async () => {
		const bytes = new Uint8Array([...new TextEncoder().encode("<meta charset=gbk><p>"), 0xc4, 0xe3, 0xba, 0xc3]);
		expect(await read(() => page(bytes))).toHaveProperty("content", `URL: ${url}\n\n你好`);
	});

	it.each([
		["JSON indented", '{"a":[1]}', "application/json", '{\n  "a": [\n    1\n  ]\n}'],
		["what calls itself JSON and is none", "{oops", "application/json", "{oops"],
		["Markdown as it is", "# Hi\n\n<b>there</b>", "text/markdown", "# Hi\n\n<b>there</b>"],
		["plain text without invisible characters", "a\u200b\u202eb\r\nc", "text/plain", "ab\nc"],
		["a page without text", "<div></div>", "text/html", "(There is no readable text on this page.)"],
	])("answers %s", async (_, body, contentType, text) => {
		expect(await read(() => page(body, contentType))).toHaveProperty("content", `URL: ${url}\n\n${text}`);
	});

	it("refuses what is no text, and says what it is", async () => {
		expect(await read(() => page(new Uint8Array(2_048), "application/pdf"))).toEqual({
			success: false,
			code: "upstream",
			errorMessage: `${url} is application/pdf (2048 bytes), which is no text. Only HTML, JSON and other text can be read.`,
			retryable: false,
			meta: { httpStatus: 200 },
		});
	});

	it.each([
		[404, false],
		[403, false],
		[429, true],
		[503, true],
	])("has no page to read when the answer is %i", async (status, retryable) => {
		expect(await read(() => page("<p>Sorry", "text/html", { status }))).toMatchObject({
			success: false,
			code: "upstream",
			errorMessage: expect.stringContaining(`answered HTTP ${status}`),
			retryable,
			meta: { httpStatus: status },
		});
	});

	it("answers at most 50,000 characters and says how many there are", async () => {
		const result = await read(() => page("<p>words and words</p>".repeat(10_000)));
		expect(result).toMatchObject({ success: true, meta: { truncated: true, totalChars: expect.any(Number) } });
		const { content } = result as { content: string };
		expect(content.length).toBeLessThanOrEqual(50_000);
		expect(content.length).toBeGreaterThan(48_000);
		expect(content).toMatch(/\[Cut here: these are the first \d+ of \d+ characters that were read\.\]$/);
	});

	it("says when the byte limit cut the page", async () => {
		const result = await read(() => page(`<p>${"x".repeat(5_000)}`), {
			settings: { http: { maxResponseBytes: 2_000 } },
		});
		expect(result).toMatchObject({ success: true, meta: { truncated: true } });
		expect(result).toHaveProperty(
			"content",
			expect.stringMatching(/\[Only the first 2000 bytes of the page were read\.\]$/),
		);
	});

	it("ends soon on a page that is nested without end", async () => {
		const result = await read(() => page(`<p>Before.</p>${"<div>".repeat(50_000)}`));
		expect(result).toHaveProperty(
			"content",
			`URL: ${url}\n\nBefore.\n\n[The page's elements are nested too deeply to be read to its end.]`,
		);
	});

	it("contacts no host that is not listed", async () => {
		const world = toolWorld({ answer: () => page("leaked") });
		expect(await callIn(world, fetchWebpage, { url })).toMatchObject({
			code: "not_listed",
			errorMessage: expect.stringContaining("HTTP list"),
		});
		expect(world.sent).toEqual([]);
	});
});

describe("web_fetch", () => {
	const open = { webSearch: { fetchEnabled: true }, browser: { allowedDomains: ["docs.example.com"] } };
	const fetched = async (over: Over) => {
		const world = toolWorld({ answer: () => page("<p>Text"), ...over });
		return { world, result: await callIn(world, webFetch, { url }) };
	};

	it("reads the page of an allowed domain", async () => {
		expect((await fetched({ settings: open })).result).toMatchObject({ success: true, content: `URL: ${url}\n\nText` });
	});

	it.each([
		["it is switched off", { browser: open.browser }, [], "unavailable", "webSearch.fetchEnabled"],
		[
			"no domain is allowed",
			{ webSearch: open.webSearch },
			["docs.example.com"],
			"unavailable",
			"browser.allowedDomains",
		],
		[
			"the domain is only on the HTTP list",
			{ ...open, browser: { allowedDomains: ["x.com"] } },
			["docs.example.com"],
			"not_listed",
			"browser.allowedDomains",
		],
		[
			"reads are open, but not for browsing",
			{ ...open, browser: { allowedDomains: ["x.com"] }, http: { readMode: "public" as const } },
			[],
			"not_listed",
			"browser list",
		],
	])("refuses when %s", async (_, settings, http, code, message) => {
		const { world, result } = await fetched({ settings, http });
		expect(result).toMatchObject({
			success: false,
			code,
			errorMessage: expect.stringContaining(message),
			retryable: false,
		});
		expect(world.sent).toEqual([]);
	});

	it("keeps to its own limit of characters", async () => {
		const settings = { ...open, webSearch: { fetchEnabled: true, fetchMaxChars: 2_000 } };
		const { result } = await fetched({ settings, answer: () => page("<p>words and words</p>".repeat(1_000)) });
		const { content } = result as { content: string };
		expect(content.length).toBeLessThanOrEqual(2_000);
		expect(content).toContain("Cut here");
	});
});
