import { causesOf } from "../lib/root-cause";
import { AppError } from "../shared/errors";

/** Errors of a statement, which the same statement would meet again. */
const faults = /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG)/;

/** What a failure of D1 means to whoever asked: tables that are missing, or a database that does not answer. Undefined for any other failure. */
export function databaseError(thrown: unknown): AppError | undefined {
	const cause = causesOf(thrown).find(isDatabases);
	if (!cause) return undefined;
	if (/no such (?:table|column)|has no column/.test(cause.message)) return unmigrated(cause);
	if (cause.message.startsWith("D1_TYPE_ERROR") || faults.test(cause.message)) return undefined;
	return new AppError("unavailable", "The database does not answer at the moment. Try again in a few seconds.", {
		cause,
		details: { retryAfterSeconds: 5 },
	});
}

const isDatabases = (cause: unknown): cause is Error => cause instanceof Error && cause.message.startsWith("D1_");

export const unmigrated = (cause?: unknown): AppError =>
	new AppError(
		"misconfigured",
		"The database lacks tables of this version: run `npx wrangler d1 migrations apply DB`, with --remote for a deployed Worker.",
		{ cause },
	);
