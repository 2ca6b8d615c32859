import * as z from "zod";
import { type PathStep, parsePath, readPath, showPath } from "../../lib/json-path";
import { parseJson } from "../../lib/parse-json";
import { failure } from "../../shared/tool-result";
import { textOrJson } from "../lenient";
import { defineTool } from "../tool";

const maxKeysShown = 20;

export const jsonExtract = defineTool({
	name: "json_extract",
	group: "utility",
	description: `
		Read one value out of a JSON document by its path. Answers a text as it is and anything else as JSON.
		A path that leads nowhere is answered with where it ended and which keys there are.`,
	input: z.object({
		json: textOrJson(z.string().min(1)).describe("The JSON document."),
		path: z
			.string()
			.max(1_000)
			.describe('Path to the value: `a.b[0].c`, or `["a.b"]` for a key with a dot. Empty means the whole document.'),
	}),
	effects: "read",
	idempotent: true,
	touches: () => [],
	async execute(_ctx, { json, path }) {
		const document = parseJson(json);
		if (!document.ok) return failure("invalid_arguments", document.message, { retryable: true });
		const parsed = parsePath(path);
		if (!parsed.ok) {
			return failure("invalid_arguments", `${parsed.message} Write it like a.b[0].c or ["a.b"].`, { retryable: true });
		}
		const read = readPath(document.value, parsed.steps);
		if (read.found) return { success: true, content: show(read.value) };
		return failure("not_found", deadEnd(parsed.steps, read.depth, read.value), { retryable: true });
	},
});

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function deadEnd(steps: readonly PathStep[], depth: number, value: unknown): string {
	const reached = depth === 0 ? "The document" : `The value at ${showPath(steps.slice(0, depth))}`;
	const missing = showPath(steps.slice(depth, depth + 1));
	if (Array.isArray(value)) return `${reached} is a list of ${value.length}, which has no ${missing}.`;
	if (typeof value !== "object" || value === null) {
		return `${reached} is ${value === null ? "null" : `a ${typeof value}`}, so the path cannot go on to ${missing}.`;
	}
	return `${reached} has no ${missing}. ${listKeys(Object.keys(value))}`;
}

function listKeys(keys: readonly string[]): string {
	if (keys.length === 0) return "It has no keys.";
	const shown = keys.slice(0, maxKeysShown).map((key) => showPath([key.slice(0, 100)]));
	const rest = keys.length - shown.length;
	return `Its keys are ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}
