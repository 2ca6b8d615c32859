import * as z from "zod";
import type { SettingsDocument } from "../../shared/settings";
import type { ToolResult } from "../../shared/tool-result";
import { orFetchFailure } from "../http/fetch-failure";
import { clampedInteger, optional } from "../lenient";
import { defineAlias, defineTool, type Surroundings } from "../tool";
import { brave } from "./brave";
import { duckduckgo } from "./duckduckgo";
import type { SearchEngine, SearchRequest } from "./engine";
import { searxng } from "./searxng";
import { showHits } from "./show-hits";

const engines: Readonly<Record<SettingsDocument["webSearch"]["provider"], SearchEngine>> = {
	duckduckgo,
	brave,
	searxng,
};
const engineOf = ({ webSearch }: SettingsDocument): SearchEngine => engines[webSearch.provider];

const input = z.object({
	query: z.string().trim().min(1).max(500).describe("What to search for, as one would type it into a search engine."),
	max_results: optional(clampedInteger(1, 10)).describe("Hits to answer, 1 to 10."),
});

export const webSearch = defineTool({
	name: "web_search",
	group: "search",
	description: `
		Search the web. Answers a numbered list of title, URL and snippet; read a hit with fetch_webpage
		before you rely on more than its snippet.`,
	input,
	effects: "read",
	idempotent: true,
	describe: ({ settings }) => `It needs ${engineOf(settings).hosts(settings).join(" and ")} on the HTTP list.`,
	unavailable,
	touches: (given, { settings }) => [
		{ url: engineOf(settings).address(requestOf(given, settings), settings), method: "GET", list: "http" },
	],
	execute: (ctx, given) =>
		orFetchFailure("GET", async (): Promise<ToolResult> => {
			const request = requestOf(given, ctx.settings);
			const outcome = await engineOf(ctx.settings).search(ctx, request);
			return outcome.ok ? showHits(request, outcome.hits, outcome.hint) : outcome.result;
		}),
});

export const webSearchTool = defineAlias(webSearch, { name: "web_search_tool", input, map: (given) => given });

function unavailable({ settings }: Surroundings): string | undefined {
	if (!settings.webSearch.enabled)
		return 'Web search is switched off. To allow it, set "webSearch.enabled" of the settings to true.';
	if (engineOf(settings).hosts(settings).length > 0) return undefined;
	return 'Web search by SearXNG needs the address of a server: set "webSearch.searxngUrl" of the settings.';
}

const requestOf = ({ query, max_results }: z.output<typeof input>, { webSearch }: SettingsDocument): SearchRequest => ({
	query,
	maxResults: max_results ?? webSearch.maxResults,
});
