import * as z from "zod";
import { httpMethods } from "../../gates/headers";
import { failure } from "../../shared/tool-result";
import { choice, clampedInteger, optional, textOrJson } from "../lenient";
import { defineTool } from "../tool";
import { orFetchFailure, readMethods } from "./fetch-failure";
import { headersArgument } from "./headers-argument";
import { requestLimits } from "./limits";
import { showResponse } from "./show-response";

export const httpRequest = defineTool({
	name: "http_request",
	group: "http",
	description: `
		Send an HTTP request with any method, headers and body, for APIs. Answers the status line, all headers and the body,
		and is a success whenever an answer came: look at the status. The host must be on the HTTP list.`,
	input: z.object({
		url: z.string().min(1).max(8_000).describe("The whole URL, https://…"),
		method: choice(httpMethods, "GET").describe("The HTTP method."),
		headers: optional(headersArgument).describe(
			"Request headers by name; also understood as text with one `Name: value` per line.",
		),
		body: optional(textOrJson(z.string())).describe(
			"The body, as text; say what it is with a content-type header. Only POST, PUT, PATCH and DELETE carry one.",
		),
		timeout_secs: optional(clampedInteger(1, 30)).describe("Seconds to wait for the whole answer; 30 when absent."),
	}),
	effects: "external",
	idempotent: false,
	touches: ({ url, method, headers }) => [{ url, method, list: "http", ...(headers && { headers }) }],
	async execute({ fetch, settings }, { url, method, headers, body, timeout_secs }) {
		if (body && readMethods.has(method)) {
			// The platform's fetch has no such requests, and sending one without its body would be another request.
			const message = `A ${method} request carries no body here, so nothing was sent. Leave the body out, or use POST.`;
			return failure("invalid_arguments", message, { retryable: true });
		}
		return await orFetchFailure(method, async () => {
			const content = { ...(headers && { headers }), ...(body && { body }) };
			const response = await fetch(url, { list: "http", method, ...content, ...requestLimits(settings, timeout_secs) });
			return showResponse(url, response, "all");
		});
	},
});
