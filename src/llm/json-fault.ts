const token =
	/\s*(?:([{}[\],:])|("(?:[^"\\\n]|\\.)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y;

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | "," | "end";

/**
 * Where a text that is no JSON stops being so; its length when it only ends too soon.
 * The engine's own error says where for some faults only.
 */
export function jsonFault(text: string): number {
	const open: string[] = [];
	let expected: Expected = "value";
	for (let at = 0; ; at = token.lastIndex) {
		token.lastIndex = at;
		const found = token.exec(text);
		if (!found) return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
		const next = step(expected, found[1] ?? (found[2] ? "string" : "scalar"), open);
		if (!next) return token.lastIndex - found[0].trimStart().length;
		expected = next;
	}
}

/** What may follow `given`; undefined when it was not expected itself. */
function step(expected: Expected, given: string, open: string[]): Expected | undefined {
	const isClose = given === "}" || given === "]";
	const closable = expected === "," || expected === `value or ${given}` || expected === `key or ${given}`;
	if (isClose) return closable && open.pop() === given ? afterValue(open) : undefined;
	if (given === ",") return expected === "," ? itemOf(open) : undefined;
	if (given === ":") return expected === ":" ? "value" : undefined;
	if (expected === "key" || expected === "key or }") return given === "string" ? ":" : undefined;
	if (expected !== "value" && expected !== "value or ]") return undefined;
	if (given === "{") return opened("}", "key or }", open);
	if (given === "[") return opened("]", "value or ]", open);
	return afterValue(open);
}

function opened(close: string, expected: Expected, open: string[]): Expected {
	open.push(close);
	return expected;
}

const afterValue = (open: readonly string[]): Expected => (open.length > 0 ? "," : "end");
const itemOf = (open: readonly string[]): Expected => (open.at(-1) === "}" ? "key" : "value");
