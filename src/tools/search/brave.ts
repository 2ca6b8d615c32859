import * as z from "zod";
import { failure } from "../../shared/tool-result";
import { askForJson } from "./ask";
import type { SearchEngine } from "./engine";
import { plainText } from "./plain-text";

const host = "api.search.brave.com";

const answer = z.object({
	web: z
		.object({ results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string().nullish() })) })
		.nullish(),
});

/** Brave Search: https://api-dashboard.search.brave.com/app/documentation/web-search */
export const brave: SearchEngine = {
	hosts: () => [host],
	address: ({ query, maxResults }) =>
		`https://${host}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(maxResults) })}`,
	async search(ctx, request) {
		const name = ctx.settings.webSearch.braveApiKeySecret;
		const key = await ctx.secret(name);
		if (!key)
			return { ok: false, result: failure("unavailable", `Brave Search needs a key. Store it as the secret ${name}.`) };
		const refusedKey = `Its key, the secret ${name}, was refused.`;
		const question = {
			engine: "Brave Search",
			url: this.address(request, ctx.settings),
			headers: { "x-subscription-token": key },
			explain: { 401: refusedKey, 403: refusedKey, 422: refusedKey },
		};
		const asked = await askForJson(ctx, question, answer);
		if (!asked.ok) return asked;
		const hits = (asked.answer.web?.results ?? []).map(async ({ title, url, description }) => ({
			title: await plainText(title),
			url,
			snippet: await plainText(description ?? ""),
		}));
		return { ok: true, hits: await Promise.all(hits) };
	},
};
