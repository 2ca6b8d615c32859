import { describe, expect, it } from "vitest";
import { webSearch, webSearchTool } from "../../../src/tools/search/web-search";
import { callIn, type Over, type SentRequest, toolWorld } from "../../support/tool-context";

const json = (body: unknown, status = 200) =>
	new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const search = async (over: Over, args: object = { query: "harbour bridge" }) => {
	const world = toolWorld(over);
	return { world, result: await callIn(world, webSearch, args) };
};
const askedUrl = (sent: readonly SentRequest[]) => new URL(sent[0]?.url ?? "");

describe("DuckDuckGo's instant answers", () => {
	const http = ["api.duckduckgo.com"];
	const bridge = {
		Heading: "Harbour Bridge",
		AbstractText: "A bridge over the harbour.",
		AbstractURL: "https://wiki.example/Harbour_Bridge",
		Answer: {},
		Results: [
			{
				Text: "Official site",
				FirstURL: "https://bridge.example/",
				Result: '<a href="https://bridge.example/">Official site</a>',
			},
		],
		RelatedTopics: [
			{
				FirstURL: "https://duckduckgo.com/Ferry",
				Result: '<a href="https://duckduckgo.com/Ferry">Ferry &amp; pier</a>A boat.',
				Text: "Ferry &amp; pier - A boat.",
			},
			{
				Name: "See also",
				Topics: [
					{ FirstURL: "https://duckduckgo.com/Toll", Text: "Toll A fee.", Result: '<a href="/Toll">Toll</a> A fee.' },
				],
			},
			{ FirstURL: "https://wiki.example/Harbour_Bridge", Text: "The same page again" },
		],
	};

	it("are numbered hits with the answer first, each page once", async () => {
		const { world, result } = await search({ http, answer: () => json(bridge) });
		expect(result).toEqual({
			success: true,
			content: [
				"1. Harbour Bridge\n   https://wiki.example/Harbour_Bridge\n   A bridge over the harbour.",
				"2. Official site\n   https://bridge.example/",
				"3. Ferry & pier\n   https://duckduckgo.com/Ferry\n   A boat.",
				"4. Toll\n   https://duckduckgo.com/Toll\n   A fee.",
			].join("\n\n"),
		});
		expect(Object.fromEntries(askedUrl(world.sent).searchParams)).toEqual({
			q: "harbour bridge",
			format: "json",
			no_html: "1",
			skip_disambig: "1",
		});
	});

	it("may be a calculation", async () => {
		const { result } = await search({
			http,
			answer: () => json({ Answer: "2 + 2 = 4", AbstractText: "", RelatedTopics: [] }),
		});
		expect(result).toEqual({ success: true, content: "1. Answer\n   2 + 2 = 4" });
	});

	it.each([
		[1, 1],
		["2", 2],
		[0, 1],
		[99, 4],
		[null, 4],
	])("are cut to max_results %j", async (max_results, count) => {
		const { result } = await search({ http, answer: () => json(bridge) }, { query: "x", max_results });
		expect((result as { content: string }).content.match(/^\d+\. /gm)).toHaveLength(count);
	});

	it("that know nothing are said plainly, with the host that would know more", async () => {
		const { world, result } = await search({ http, answer: () => json({ AbstractText: "", RelatedTopics: [] }) });
		expect(result).toMatchObject({
			success: true,
			content: expect.stringMatching(/^Nothing was found for "harbour bridge"\. .*html\.duckduckgo\.com/),
		});
		expect(world.sent).toHaveLength(1);
	});

	it.each([
		["no JSON", () => new Response("<html>"), "no search result"],
		["an error status", () => json({}, 500), "HTTP 500"],
		["a limit", () => json({}, 429), "fewer searches"],
		["a broken connection", () => Promise.reject(new TypeError("reset")), "api.duckduckgo.com failed"],
	])("that come as %s are a failure to try again", async (_, answer, message) => {
		const { result } = await search({ http, answer });
		expect(result).toMatchObject({
			success: false,
			code: "upstream",
			retryable: true,
			errorMessage: expect.stringContaining(message),
		});
	});
});

describe("Brave", () => {
	const over: Over = {
		http: ["api.search.brave.com"],
		settings: { webSearch: { provider: "brave", maxResults: 3 } },
		secrets: { BRAVE_API_KEY: "brave-key" },
	};
	const web = {
		results: [
			{
				title: "Harbour <strong>bridge</strong>",
				url: "https://ferry.example/",
				description: "It&#x27;s <strong>open</strong>\u200b.",
			},
		],
	};

	it("is asked with the stored key, and its marks are taken out", async () => {
		const { world, result } = await search({ ...over, answer: () => json({ web }) });
		expect(result).toEqual({ success: true, content: "1. Harbour bridge\n   https://ferry.example/\n   It's open." });
		expect(world.sent[0]?.headers.get("x-subscription-token")).toBe("brave-key");
		expect(Object.fromEntries(askedUrl(world.sent).searchParams)).toEqual({ q: "harbour bridge", count: "3" });
	});

	it("never has its key sent to another host", async () => {
		const { world, result } = await search({
			...over,
			http: ["api.search.brave.com", "other.example"],
			answer: ({ url }) =>
				url.includes("brave")
					? new Response(null, { status: 302, headers: { location: "https://other.example/" } })
					: json({ web }),
		});
		expect(result.success).toBe(true);
		expect(world.sent.map(({ headers }) => headers.get("x-subscription-token"))).toEqual(["brave-key", null]);
	});

	it("finds nothing when it says so", async () => {
		const { result } = await search({ ...over, answer: () => json({ type: "search" }) });
		expect(result).toEqual({
			success: true,
			content: 'Nothing was found for "harbour bridge". Try other or fewer words.',
		});
	});

	it("needs its key", async () => {
		const { world, result } = await search({ ...over, secrets: {} });
		expect(result).toMatchObject({
			success: false,
			code: "unavailable",
			retryable: false,
			errorMessage: expect.stringContaining("BRAVE_API_KEY"),
		});
		expect(world.sent).toEqual([]);
	});

	it.each([401, 403, 422])("says that its key was refused by %i, without showing it", async (status) => {
		const { result } = await search({ ...over, answer: () => json({ error: "brave-key" }, status) });
		expect(result).toMatchObject({
			success: false,
			code: "upstream",
			retryable: false,
			errorMessage: expect.stringContaining("BRAVE_API_KEY, was refused"),
		});
		expect(JSON.stringify(result)).not.toContain("brave-key");
	});
});

describe("SearXNG", () => {
	const settings = { webSearch: { provider: "searxng" as const, searxngUrl: "https://searx.example.org/find" } };
	const http = ["searx.example.org"];

	it("is asked at its own address", async () => {
		const results = [
			{ title: "Bridge", url: "https://ferry.example/", content: "Open.", engines: ["x"] },
			{ url: "https://b.example/", title: null },
		];
		const { world, result } = await search({ settings, http, answer: () => json({ results }) });
		expect(result).toEqual({
			success: true,
			content: "1. Bridge\n   https://ferry.example/\n   Open.\n\n2. https://b.example/\n   https://b.example/",
		});
		expect(world.sent[0]?.url).toBe("https://searx.example.org/find/search?q=harbour+bridge&format=json");
	});

	it("says how to switch its JSON on", async () => {
		const { result } = await search({ settings, http, answer: () => new Response("Forbidden", { status: 403 }) });
		expect(result).toMatchObject({ success: false, errorMessage: expect.stringContaining("search.formats") });
	});

	it("needs its address", async () => {
		const { result } = await search({ settings: { webSearch: { provider: "searxng" } }, http });
		expect(result).toMatchObject({
			code: "unavailable",
			errorMessage: expect.stringContaining("webSearch.searxngUrl"),
		});
	});
});

describe("web_search", () => {
	it.each([
		["duckduckgo", "api.duckduckgo.com"],
		["brave", "api.search.brave.com"],
		["searxng", "searx.example.org"],
	] as const)("contacts %s only when its host is listed, and names it", async (provider, host) => {
		const settings = { webSearch: { provider, searxngUrl: "https://searx.example.org" } };
		const { world, result } = await search({ settings, secrets: { BRAVE_API_KEY: "k" }, answer: () => json({}) });
		expect(result).toMatchObject({
			success: false,
			code: "not_listed",
			retryable: false,
			errorMessage: expect.stringContaining(host),
		});
		expect(world.sent).toEqual([]);
		const around = { settings: world.ctx.settings, channels: [], runner: false, commands: [] };
		expect(webSearch.describe?.(around)).toContain(host);
	});

	it("can be switched off", async () => {
		const { world, result } = await search({
			settings: { webSearch: { enabled: false } },
			http: ["api.duckduckgo.com"],
		});
		expect(result).toMatchObject({ code: "unavailable", errorMessage: expect.stringContaining("webSearch.enabled") });
		expect(world.sent).toEqual([]);
	});

	it("gives up after the time that the settings give it", async () => {
		const { result } = await search({
			settings: { webSearch: { timeoutSeconds: 1 } },
			http: ["api.duckduckgo.com"],
			answer: () => new Promise<Response>(() => {}),
		});
		expect(result).toMatchObject({ success: false, code: "timeout", retryable: true });
	});

	it.each([{}, { query: " " }, { query: "x", max_results: "many" }])("refuses %j", async (args) => {
		const { world, result } = await search({ http: ["api.duckduckgo.com"] }, args);
		expect(result).toMatchObject({ code: "invalid_arguments", retryable: true });
		expect(world.sent).toEqual([]);
	});

	it("has another face with the same schema", async () => {
		const world = toolWorld({ http: ["api.duckduckgo.com"], answer: () => json({ Answer: "4" }) });
		expect(await callIn(world, webSearchTool, { query: "2+2", max_results: 3 })).toEqual({
			success: true,
			content: "1. Answer\n   4",
		});
		expect(webSearchTool).toMatchObject({ name: "web_search_tool", aliasOf: "web_search" });
	});
});
