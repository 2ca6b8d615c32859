import * as z from "zod";
import { optional } from "../lenient";

/** Where paths begin, as every file tool tells the model. */
const whereFrom = "absolute, or relative to the workspace";

/** A path that must be given; what it may be is the path gate's to say. */
export const pathArgument = (what: string) => z.string().describe(`${what}: ${whereFrom}.`);

/** A directory; the root of the workspace when absent. It is filled in, so that argument rules see it. */
export const directoryArgument = (what: string) =>
	z
		.preprocess((given) => given || ".", z.string())
		.prefault(".")
		.describe(`${what}: ${whereFrom}; the workspace itself when absent.`);

/** Yes or no; a model's texts "true" and "false" are understood. */
export const flag = z.preprocess((given) => words.get(String(given).toLowerCase()) ?? given, z.boolean());

const words: ReadonlyMap<string, boolean> = new Map([
	["true", true],
	["false", false],
]);

/** A flag that is off when absent. */
export const flagArgument = (description: string) => optional(flag).describe(description);
