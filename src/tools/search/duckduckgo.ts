import { UrlRefused } from "../../gates/gated-fetch";
import { failure } from "../../shared/tool-result";
import { askForJson, askForText } from "./ask";
import { instantAnswer, instantHits } from "./duckduckgo-instant";
import { pageHits } from "./duckduckgo-page";
import type { SearchContext, SearchEngine, SearchOutcome, SearchRequest } from "./engine";

const answersHost = "api.duckduckgo.com";
const resultsHost = "html.duckduckgo.com";
const engine = "DuckDuckGo";

const moreHint = `DuckDuckGo's instant answers know nothing of this. For full results, list ${resultsHost} as well: POST /api/v1/sandbox/whitelist/HTTP {"value":"${resultsHost}"}; or set up Brave or SearXNG under "webSearch" of the settings.`;

/** DuckDuckGo without a key: its instant answers, and its plain result page where those know nothing. */
export const duckduckgo: SearchEngine = {
	hosts: () => [answersHost, resultsHost],
	address: ({ query }) =>
		`https://${answersHost}/?${new URLSearchParams({ q: query, format: "json", no_html: "1", skip_disambig: "1" })}`,
	async search(ctx, request) {
		const asked = await askForJson(ctx, { engine, url: this.address(request, ctx.settings) }, instantAnswer);
		if (!asked.ok) return asked;
		const hits = await instantHits(asked.answer);
		return hits.length > 0 ? { ok: true, hits } : await searchPage(ctx, request);
	},
};

async function searchPage(ctx: SearchContext, { query }: SearchRequest): Promise<SearchOutcome> {
	try {
		const asked = await askForText(ctx, {
			engine,
			url: `https://${resultsHost}/html/?${new URLSearchParams({ q: query })}`,
			explain: { 202: wantsPerson },
		});
		if (!asked.ok) return asked;
		const hits = await pageHits(asked.answer);
		if (hits === undefined)
			return {
				ok: false,
				result: failure("upstream", `${engine} showed no results. ${wantsPerson}`, { retryable: true }),
			};
		return { ok: true, hits };
	} catch (error) {
		if (error instanceof UrlRefused && error.reason === "host_not_allowed")
			return { ok: true, hits: [], hint: moreHint };
		throw error;
	}
}

const wantsPerson = "It wants to see a person first. Try again later, or set up Brave or SearXNG.";
