import * as z from "zod";
import { textOrJson } from "../lenient";
import { defineTool } from "../tool";
import { orFetchFailure } from "./fetch-failure";
import { requestLimits } from "./limits";
import { showResponse } from "./show-response";

const headers = { "content-type": "application/json" };

export const httpPost = defineTool({
	name: "http_post",
	group: "http",
	description: `
		POST a JSON body to a URL and answer the status and body that come back. For other methods, headers or kinds of body
		use http_request. The host must be on the HTTP list.`,
	input: z.object({
		url: z.string().min(1).max(8_000).describe("The whole URL, https://…"),
		body: textOrJson(z.string()).describe("The JSON to send."),
	}),
	effects: "external",
	idempotent: false,
	touches: ({ url }) => [{ url, method: "POST", list: "http", headers }],
	execute: ({ fetch, settings }, { url, body }) =>
		orFetchFailure("POST", async () => {
			const response = await fetch(url, { list: "http", method: "POST", headers, body, ...requestLimits(settings) });
			return showResponse(url, response, "brief");
		}),
});
