import * as z from "zod";
import { failure } from "../../shared/tool-result";
import { askForJson } from "./ask";
import type { SearchEngine } from "./engine";
import { plainText } from "./plain-text";

const answer = z.object({
	results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});

/** A SearXNG server: https://docs.searxng.org/dev/search_api.html */
export const searxng: SearchEngine = {
	hosts: ({ webSearch }) => {
		const host = URL.parse(webSearch.searxngUrl ?? "")?.host;
		return host ? [host] : [];
	},
	address({ query }, { webSearch }) {
		const base = (webSearch.searxngUrl ?? "").replace(/\/*$/, "/");
		return `${base}search?${new URLSearchParams({ q: query, format: "json" })}`;
	},
	async search(ctx, request) {
		if (!ctx.settings.webSearch.searxngUrl) {
			return {
				ok: false,
				result: failure(
					"unavailable",
					'SearXNG needs the address of a server: set "webSearch.searxngUrl" of the settings.',
				),
			};
		}
		const question = {
			engine: "The SearXNG server",
			url: this.address(request, ctx.settings),
			explain: { 403: "Its JSON format must be switched on: search.formats in its settings.yml." },
		};
		const asked = await askForJson(ctx, question, answer);
		if (!asked.ok) return asked;
		const hits = asked.answer.results.map(async ({ title, url, content }) => ({
			title: await plainText(title ?? ""),
			url,
			snippet: await plainText(content ?? ""),
		}));
		return { ok: true, hits: await Promise.all(hits) };
	},
};
