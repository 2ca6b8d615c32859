import type { Hono } from "hono";
import { generateSpecs } from "hono-openapi";
import * as z from "zod";
import { version } from "../../package.json";
import type { AppEnv } from "../app-env";
import { type AppErrorCode, statusOf } from "../shared/errors";
import { errorAnswers } from "./error-answers";
import { wireSchema } from "./wire-schema";

const errorAnswer = z.object({
	error: z.object({
		code: z.enum(Object.keys(statusOf) as [AppErrorCode, ...AppErrorCode[]]),
		message: z.string().describe("A full sentence that says what to do."),
		details: z.unknown().optional(),
		requestId: z.string().describe("Also in the header X-Request-Id, and in the log."),
	}),
});

const meanings: Readonly<Record<number, string>> = {
	400: "The request does not fit: the message names the field and the fix. Nothing was stored or sent.",
	401: "No token, or one that is wrong, revoked or expired.",
	403: "The token does not hold the permission, or a gate refused.",
	404: "There is none of that name or id.",
	409: "It clashes with what is there.",
	413: "The body is too large.",
	415: "The body is not of a type that this route takes.",
	429: "Too many; the header Retry-After says when to come back.",
	500: "Our fault, or the deployment lacks a setting that the message names.",
	502: "A service that this relies on failed.",
	503: "What this needs is not there at the moment.",
};

const errorResponses = () =>
	Object.fromEntries(
		Object.entries(meanings).map(([status, description]) => [
			status,
			{ description, content: { "application/json": { schema: wireSchema(errorAnswer, "output") } } },
		]),
	);

/** What a route answers whose query or path is validated; the types ask for the whole answer, but the reference is one too. */
const misfit = { description: meanings[400] ?? "", ...errorAnswers(["invalid_input"])[400] };

const documents = new WeakMap<object, Promise<object>>();

/** The OpenAPI 3.1 document of an app, derived once from what its routes say of themselves. */
export function openApiDocument(app: Hono<AppEnv>): Promise<object> {
	const known = documents.get(app);
	if (known) return known;
	const document = generateSpecs(app, {
		excludeStaticFile: false,
		defaultValidationErrorResponse: misfit,
		documentation: {
			info: { title: "oryx-edge", version, description: "Agents that act only through gated, audited tools." },
			components: {
				securitySchemes: {
					token: { type: "http", scheme: "bearer", description: "The admin token, or an API token." },
				},
				responses: errorResponses(),
			},
		},
	});
	documents.set(app, document);
	return document;
}
