export type PathStep = string | number;

export type ParsedPath = { ok: true; steps: readonly PathStep[] } | { ok: false; message: string };

/** `value` at the end of the path, or the deepest value that the path does reach and how many steps lead there. */
export type PathRead = { found: true; value: unknown } | { found: false; depth: number; value: unknown };

/** A name, `[0]`, `["any key"]` or `['any key']`; sticky, so that what lies between two steps is an error. */
const step = /(?:^|\.)([^.[\]]+)|\[(\d{1,9})\]|\[(["'])((?:\\.|(?!\3)[^\\])*)\3\]/suy;

const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const maxSteps = 64;

/** Reads a path such as `a.b[0].c` or `["a.b"][2]`; `$` in front and an empty path mean the whole. Knows no expressions. */
export function parsePath(path: string): ParsedPath {
	const text = path.trim().replace(/^\$\.?/, "");
	const steps: PathStep[] = [];
	step.lastIndex = 0;
	for (let at = 0; at < text.length; at = step.lastIndex) {
		const found = step.exec(text);
		if (!found)
			return { ok: false, message: `The path cannot be read from ${JSON.stringify(text.slice(at, at + 20))} on.` };
		const [, name, index, , quoted] = found;
		const key = name ?? (quoted === undefined ? undefined : unquote(quoted));
		if (key !== undefined && forbiddenKeys.has(key)) return { ok: false, message: `The key ${key} is refused.` };
		steps.push(key ?? Number(index));
		if (steps.length > maxSteps) return { ok: false, message: `The path has more than ${maxSteps} steps.` };
	}
	return { ok: true, steps };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** The escapes of JSON; before any other character a backslash means that character. */
const unquote = (quoted: string): string =>
	quoted.replace(/\\(?:u([0-9a-f]{4})|(.))/gisu, (_, code: string | undefined, char: string) =>
		code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
	);

/** Follows own keys and list indexes only; never a getter's or a prototype's. */
export function readPath(root: unknown, steps: readonly PathStep[]): PathRead {
	let value = root;
	for (const [depth, key] of steps.entries()) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, keyIn(value, key)))
			return { found: false, depth, value };
		value = (value as Record<PathStep, unknown>)[key];
	}
	return { found: true, value };
}

/** A list has its indexes and nothing else: `length` is no data. */
const keyIn = (value: object, key: PathStep): PathStep =>
	Array.isArray(value) && !/^\d+$/.test(String(key)) ? "" : key;

/** Writes steps as a path that `parsePath` reads back. */
export function showPath(steps: readonly PathStep[]): string {
	const written = steps.map((key) => {
		if (typeof key === "number") return `[${key}]`;
		return /^[^.[\]"'\s$]+$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
	});
	return written.join("").replace(/^\./, "");
}
