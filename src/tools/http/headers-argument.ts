import * as z from "zod";
import { parseJson } from "../../lib/parse-json";

/** Headers by name, or a text: one `Name: value` per line, or the JSON of the first form. Names come out in lower case, as argument rules name them. */
export const headersArgument = z.preprocess(readHeaders, z.object({}).catchall(z.string()));

function readHeaders(given: unknown): unknown {
	if (typeof given === "string") return given.trimStart().startsWith("{") ? fromJson(given) : fromLines(given);
	if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
	return Object.fromEntries(
		Object.entries(given).map(([name, value]) => [
			name.toLowerCase(),
			typeof value === "number" ? String(value) : value,
		]),
	);
}

function fromJson(text: string): unknown {
	const parsed = parseJson(text);
	return parsed.ok ? readHeaders(parsed.value) : text;
}

/** A line that is no header becomes a name that the header gate refuses. */
function fromLines(text: string): Record<string, string> {
	const lines = text.split(/\r\n|\n/).filter((line) => line.trim() !== "");
	return Object.fromEntries(
		lines.map((line) => {
			const colon = line.indexOf(":");
			const [name, value] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
			return [name.trim().toLowerCase(), value.trim()];
		}),
	);
}
