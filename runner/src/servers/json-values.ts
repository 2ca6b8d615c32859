/** Where a value stands in a text. */
interface Span {
	readonly start: number;
	readonly end: number;
}

export interface JsonEdit {
	/** Names of members, from the outermost object inwards. */
	readonly path: readonly string[];
	/** JSON, put in place of the value. */
	readonly value: string;
}

/** The text with some values replaced and every other character as it was; a path that is not there changes nothing. */
export function replaceValues(json: string, edits: readonly JsonEdit[]): string {
	const found = edits.flatMap(({ path, value }) => {
		const span = findValue(json, path);
		return span ? [{ ...span, value }] : [];
	});
	let text = "";
	let copied = 0;
	for (const { start, end, value } of found.sort((a, b) => a.start - b.start)) {
		text += json.slice(copied, start) + value;
		copied = end;
	}
	return text + json.slice(copied);
}

/** The characters of one value, just as they stand. */
export function rawValue(json: string, path: readonly string[]): string | undefined {
	const span = findValue(json, path);
	return span && json.slice(span.start, span.end);
}

/** In valid JSON; of members with one name the last counts, as it does for `JSON.parse`. */
function findValue(json: string, path: readonly string[]): Span | undefined {
	const start = skipBlanks(json, 0);
	let span: Span | undefined = { start, end: json.length };
	for (const name of path) span = span && memberOf(json, span.start, name);
	return span;
}

function memberOf(json: string, object: number, name: string): Span | undefined {
	if (json[object] !== "{") return undefined;
	let found: Span | undefined;
	let at = skipBlanks(json, object + 1);
	while (json[at] === '"') {
		const keyEnd = endOfString(json, at);
		const start = skipBlanks(json, skipBlanks(json, keyEnd) + 1);
		const end = endOfValue(json, start);
		if (isKey(json.slice(at, keyEnd), name)) found = { start, end };
		at = skipBlanks(json, end);
		if (json[at] === ",") at = skipBlanks(json, at + 1);
	}
	return found;
}

/** An escape may spell a letter of the name. */
const isKey = (quoted: string, name: string) =>
	quoted.includes("\\") ? JSON.parse(quoted) === name : quoted.slice(1, -1) === name;

function endOfValue(json: string, at: number): number {
	if (json[at] === '"') return endOfString(json, at);
	if (json[at] === "{" || json[at] === "[") return endOfContainer(json, at);
	const end = /[\s,}\]]/g;
	end.lastIndex = at;
	return end.exec(json)?.index ?? json.length;
}

function endOfContainer(json: string, start: number): number {
	const mark = /["{}[\]]/g;
	mark.lastIndex = start;
	for (let depth = 0, match = mark.exec(json); match; match = mark.exec(json)) {
		const [character] = match;
		if (character === '"') mark.lastIndex = endOfString(json, match.index);
		else if (character === "{" || character === "[") depth++;
		else if (--depth === 0) return mark.lastIndex;
	}
	return json.length;
}

function endOfString(json: string, start: number): number {
	let quote = json.indexOf('"', start + 1);
	while (quote >= 0 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
	return quote < 0 ? json.length : quote + 1;
}

function isEscaped(json: string, at: number): boolean {
	let backslashes = 0;
	while (json[at - 1 - backslashes] === "\\") backslashes++;
	return backslashes % 2 === 1;
}

function skipBlanks(json: string, from: number): number {
	let at = from;
	while (json[at] === " " || json[at] === "\n" || json[at] === "\r" || json[at] === "\t") at++;
	return at;
}
