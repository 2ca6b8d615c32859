import * as z from "zod";
import { defineTool } from "../tool";
import { readPage } from "./read-page";

/** The face of `fetch_webpage` that keeps to the browser's own list (X30). */
export const webFetch = defineTool({
	name: "web_fetch",
	group: "http",
	aliasOf: "fetch_webpage",
	toCanonical: (input) => input,
	description: `
		Read a web page as Markdown: its main part with headings, lists, links, tables and code.
		The host must be one of the domains that are allowed for browsing.`,
	input: z.object({
		url: z.string().min(1).max(8_000).describe("The whole URL, https://…"),
	}),
	effects: "read",
	idempotent: true,
	unavailable({ settings: { webSearch, browser } }) {
		if (!webSearch.fetchEnabled)
			return 'web_fetch is switched off. To allow it, set "webSearch.fetchEnabled" of the settings to true.';
		if (browser.allowedDomains.length > 0) return undefined;
		return 'No domain is allowed for web_fetch. Add those that it may read to "browser.allowedDomains" of the settings.';
	},
	touches: ({ url }) => [{ url, method: "GET", list: "browser" }],
	execute: (ctx, { url }) => readPage(ctx, { url, list: "browser", maxChars: ctx.settings.webSearch.fetchMaxChars }),
});
