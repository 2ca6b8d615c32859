import * as z from "zod";
import { defineTool } from "../tool";
import { orFetchFailure } from "./fetch-failure";
import { requestLimits } from "./limits";
import { showResponse } from "./show-response";

export const httpGet = defineTool({
	name: "http_get",
	group: "http",
	description: `
		GET a URL and answer its status and its body as it is, for APIs and raw files. For a page that people read,
		fetch_webpage is better. The host must be on the HTTP list.`,
	input: z.object({
		url: z.string().min(1).max(8_000).describe("The whole URL, https://…"),
	}),
	effects: "read",
	idempotent: true,
	touches: ({ url }) => [{ url, method: "GET", list: "http" }],
	execute: ({ fetch, settings }, { url }) =>
		orFetchFailure("GET", async () =>
			showResponse(url, await fetch(url, { list: "http", ...requestLimits(settings) }), "brief"),
		),
});
