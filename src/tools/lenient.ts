import * as z from "zod";

/** An optional argument; a model's `null` means that it is absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
	z.preprocess((given) => given ?? undefined, schema.optional()).optional();

/** Arguments with names that only differ in letter case style from known ones, as `oldString` does from `old_string`, brought to those. */
export function knownNames(given: unknown, known: Readonly<Record<string, unknown>>): unknown {
	if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
	const named = Object.entries(given).map(([name, value]) => {
		const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
		const isOther = !Object.hasOwn(known, name) && Object.hasOwn(known, snake) && !Object.hasOwn(given, snake);
		return [isOther ? snake : name, value] as const;
	});
	return Object.fromEntries(named);
}

/** A text; a model that sends the value itself is understood as sending its JSON. */
export const textOrJson = (schema: z.ZodString) => z.preprocess(asText, schema);

/** A whole number that is brought into its range; digits in a text count as a number. */
export const clampedInteger = (min: number, max: number) =>
	z.preprocess(
		(given) => clamp(typeof given === "string" && given.trim() ? Number(given) : given, min, max),
		z.int().min(min).max(max),
	);

/** One of the words, in any letter case. The word for an absent one is filled in, so that argument rules see it. */
export function choice<const Word extends string>(words: readonly [Word, ...Word[]], absent: NoInfer<Word>) {
	const known = (given: unknown) =>
		typeof given === "string"
			? (words.find((word) => word.toLowerCase() === given.trim().toLowerCase()) ?? given)
			: (given ?? absent);
	return z.preprocess(known, z.enum(words)).prefault(absent);
}

function asText(given: unknown): unknown {
	if (typeof given === "string" || given === undefined || given === null) return given;
	return JSON.stringify(given);
}

function clamp(given: unknown, min: number, max: number): unknown {
	if (typeof given !== "number" || Number.isNaN(given)) return given;
	return Math.min(max, Math.max(min, Math.trunc(given)));
}
