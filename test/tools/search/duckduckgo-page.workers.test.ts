import { expect, it } from "vitest";
import { webSearch } from "../../../src/tools/search/web-search";
import resultPage from "../../fixtures/search/duckduckgo.html?raw";
import { callIn, type Over, toolWorld } from "../../support/tool-context";

const knowsNothing = () => Response.json({ AbstractText: "", RelatedTopics: [] });
const search = async (page: () => Response, over: Over = {}) => {
	const answer: Over["answer"] = ({ url }) => (url.startsWith("https://html.") ? page() : knowsNothing());
	const world = toolWorld({ http: ["api.duckduckgo.com", "html.duckduckgo.com"], answer, ...over });
	return { world, result: await callIn(world, webSearch, { query: "harbour bridge" }) };
};
const html = (text: string, status = 200) => new Response(text, { status, headers: { "content-type": "text/html" } });

it("reads the result page where the instant answers know nothing, advertisements left out", async () => {
	const { world, result } = await search(() => html(resultPage));
	expect(result).toEqual({
		success: true,
		content: [
			"1. Harbour bridge & ferry\n   https://ferry.example/bridge?a=1&b=2\n   The harbour bridge reopened on Monday.",
			"2. Bridge\n   https://wiki.example/Bridge",
		].join("\n\n"),
	});
	expect(world.sent.map(({ url }) => url)).toEqual([
		"https://api.duckduckgo.com/?q=harbour+bridge&format=json&no_html=1&skip_disambig=1",
		"https://html.duckduckgo.com/html/?q=harbour+bridge",
	]);
});

it("says plainly that nothing was found", async () => {
	const { result } = await search(() => html('<div class="no-results">No results.</div>'));
	expect(result).toEqual({
		success: true,
		content: 'Nothing was found for "harbour bridge". Try other or fewer words.',
	});
});

it.each([200, 202])("is a failure when DuckDuckGo wants to see a person (%i)", async (status) => {
	const { result } = await search(() =>
		html('<form id="challenge-form"><div class="anomaly-modal__mask"></div></form>', status),
	);
	expect(result).toMatchObject({
		success: false,
		code: "upstream",
		errorMessage: expect.stringContaining("wants to see a person"),
	});
});

it("asks no page whose host is not listed", async () => {
	const { world, result } = await search(() => html(resultPage), { http: ["api.duckduckgo.com"] });
	expect(result).toMatchObject({ success: true, content: expect.stringContaining('{"value":"html.duckduckgo.com"}') });
	expect(world.sent).toHaveLength(1);
});
