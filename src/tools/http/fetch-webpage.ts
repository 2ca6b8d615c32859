import * as z from "zod";
import { defineTool } from "../tool";
import { readPage } from "./read-page";

const maxChars = 50_000;

export const fetchWebpage = defineTool({
	name: "fetch_webpage",
	group: "http",
	description: `
		Read a web page as Markdown: its main part with headings, lists, links, tables and code. Use it for pages that people
		read; http_get answers an API as it is. Answers at most ${maxChars} characters. The host must be on the HTTP list.`,
	input: z.object({
		url: z.string().min(1).max(8_000).describe("The whole URL, https://…"),
	}),
	effects: "read",
	idempotent: true,
	touches: ({ url }) => [{ url, method: "GET", list: "http" }],
	execute: (ctx, { url }) => readPage(ctx, { url, list: "http", maxChars }),
});
