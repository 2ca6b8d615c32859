import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnv } from "../app-env";
import { databaseError } from "../db/database-error";
import { createRedactor } from "../lib/redact";
import { rootCause } from "../lib/root-cause";
import { AppError, statusOf, toAppError } from "../shared/errors";

/** The one shape of every error: `{"error":{code,message,details?,requestId}}`. */
export function answerError(thrown: unknown, c: Context<AppEnv>): Response {
	const error = thrown instanceof HTTPException ? fromHono(thrown) : (databaseError(thrown) ?? toAppError(thrown));
	const { requestId } = c.var;
	const { code, message, details } = error;
	if (statusOf[code] >= 500) logFailure(error, requestId);
	if (code === "unauthorized") c.header("WWW-Authenticate", "Bearer");
	const retryAfter = retryAfterOf(details);
	if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
	return c.json({ error: { code, message, ...(details !== undefined && { details }), requestId } }, statusOf[code]);
}

export const answerNotFound = (c: Context<AppEnv>): Response =>
	answerError(new AppError("not_found", `No route ${c.req.method} ${c.req.path}; GET /docs shows what there is.`), c);

const fromHono = (thrown: HTTPException) =>
	new AppError(thrown.status < 500 ? "invalid_input" : "internal", thrown.message || "The request cannot be read.", {
		cause: thrown,
	});

function retryAfterOf(details: unknown): number | undefined {
	const isRecord = typeof details === "object" && details !== null;
	if (!isRecord || !("retryAfterSeconds" in details)) return undefined;
	return typeof details.retryAfterSeconds === "number" ? details.retryAfterSeconds : undefined;
}

const redactor = createRedactor([]);

/** For operators, with the cause and its stack; shapes of secrets are taken out, since errors like to quote URLs. */
function logFailure(error: AppError, requestId: string): void {
	const root = rootCause(error.cause ?? error);
	const cause = root instanceof Error ? (root.stack ?? root.message) : String(root);
	console.error(JSON.stringify({ event: "failure", code: error.code, requestId, cause: redactor.redact(cause) }));
}
