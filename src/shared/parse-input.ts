import type * as z from "zod";
import { AppError } from "./errors";

/** Parses what came from outside. Throws `invalid_input` with a sentence that names each field and what is wrong with it, never its value. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const problems = parsed.error.issues.map(({ path, message }) => ({ field: dotted(path), message }));
	const shown = problems.slice(0, 5).map(({ field, message }) => (field ? `${field}: ${message}` : message));
	const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
	throw new AppError("invalid_input", [...shown, ...more].join("; "), { details: { problems } });
}

/** `a.b[0]`. By hand, because naming `z.core` would bundle zod's sixty languages. */
const dotted = (path: readonly PropertyKey[]) =>
	path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${String(key)}`)).join("");
