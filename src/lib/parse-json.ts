export type ParsedJson =
	| { ok: true; value: unknown }
	| { ok: false; reason: "invalid_json" | "too_deep" | "forbidden_key"; message: string };

const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Parses JSON from outside: never throws, never goes deeper than `maxDepth`, refuses keys that reach a prototype. */
export function parseJson(text: string, { maxDepth = 64 }: { maxDepth?: number } = {}): ParsedJson {
	if (isDeeperThan(text, maxDepth)) {
		return { ok: false, reason: "too_deep", message: `The JSON is nested deeper than ${maxDepth} levels.` };
	}
	try {
		const value: unknown = JSON.parse(text);
		// An escape may spell a key that the text does not show.
		const key = /__proto__|constructor|prototype|\\u/.test(text) ? findForbiddenKey(value) : undefined;
		if (key === undefined) return { ok: true, value };
		return { ok: false, reason: "forbidden_key", message: `The JSON has a key "${key}", which is refused.` };
	} catch (error) {
		return { ok: false, reason: "invalid_json", message: `This is no JSON: ${(error as Error).message}` };
	}
}

/** Reads brackets outside strings; on broken JSON the answer may be wrong, and the parser then refuses it. */
function isDeeperThan(text: string, maxDepth: number): boolean {
	let depth = 0;
	let inString = false;
	for (let index = 0; index < text.length; index++) {
		const unit = text[index];
		if (unit === '"') inString = !inString;
		else if (inString && unit === "\\") index++;
		else if (!inString && (unit === "[" || unit === "{")) depth++;
		else if (!inString && (unit === "]" || unit === "}")) depth--;
		if (depth > maxDepth) return true;
	}
	return false;
}

function findForbiddenKey(value: unknown): string | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	for (const [key, member] of Object.entries(value)) {
		const found = forbiddenKeys.has(key) && !Array.isArray(value) ? key : findForbiddenKey(member);
		if (found !== undefined) return found;
	}
	return undefined;
}
