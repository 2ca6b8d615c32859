import type * as z from "zod";
import { AppError } from "./errors";

/** What is wrong with one field; never its value. */
interface Problem {
	/** `a.b[0]`; empty for the whole. */
	readonly field: string;
	readonly message: string;
}

/** Parses what came from outside. Throws `invalid_input` with a sentence that names each field and what is wrong with it. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw invalidInput(problemsOf(parsed.error));
}

/** What `judge` answers; what it says against an input gets the field's name in front. */
export function inField<Result>(field: string, judge: () => Result): Result {
	try {
		return judge();
	} catch (error) {
		if (error instanceof AppError && error.code === "invalid_input")
			throw invalidInput([{ field, message: error.message }]);
		throw error;
	}
}

/** What a schema has against a value, field by field. */
export const problemsOf = ({ issues }: z.ZodError): Problem[] =>
	issues.flatMap((issue) =>
		issue.code === "unrecognized_keys"
			? issue.keys.map((key) => ({ field: dotted([...issue.path, key]), message: "There is no such field." }))
			: [{ field: dotted(issue.path), message: issue.message.replace(missing, "It is missing; expected $1.") }],
	);

/** The first few problems in one line. */
export function describeProblems(problems: readonly Problem[]): string {
	const shown = problems.slice(0, 5).map(({ field, message }) => (field ? `${field}: ${message}` : message));
	const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
	return [...shown, ...more].join("; ");
}

const invalidInput = (problems: readonly Problem[]) =>
	new AppError("invalid_input", describeProblems(problems), { details: { problems } });

/** zod's words for a field that is not there. */
const missing = /^Invalid input: expected (.+), received undefined$/;

/** By hand, because naming `z.core` would bundle zod's sixty languages. */
const dotted = (path: readonly PropertyKey[]) =>
	path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${String(key)}`)).join("");
