import { RE2JS } from "re2js";

export type PatternKind = "basic" | "extended" | "perl" | "fixed";

/** A pattern of grep's in the words of re2js, which matches in linear time. Throws for what it cannot express: back-references, look-around. */
export function toLinearPattern(pattern: string, kind: PatternKind): string {
	if (kind === "fixed") return RE2JS.quote(pattern);
	if (kind === "perl") return pattern;
	return translate(pattern, kind === "basic");
}

/** In basic expressions these are operators when escaped, in extended ones when they are not. */
const operators = "(){}|+?";

function translate(pattern: string, isBasic: boolean): string {
	let text = "";
	for (let at = 0; at < pattern.length; at++) {
		const one = pattern.charAt(at);
		if (one === "[") {
			const end = bracketEnd(pattern, at);
			text += bracket(pattern.slice(at, end));
			at = end - 1;
		} else if (one === "\\") {
			text += escaped(pattern.charAt(++at), isBasic);
		} else if (operators.includes(one)) {
			const isOperator = !isBasic && (one !== "{" || /^\{\d*(,\d*)?\}/.test(pattern.slice(at)));
			text += isOperator && !(isStart(text) && "+?{".includes(one)) ? one : `\\${one}`;
		} else if (one === "*" && isStart(text)) {
			text += isBasic ? "\\*" : "";
		} else if (isBasic && one === "^" && !isStart(text)) {
			text += "\\^";
		} else if (isBasic && one === "$" && !/^(\\\)|\\\||$)/.test(pattern.slice(at + 1))) {
			text += "\\$";
		} else {
			text += one;
		}
	}
	return text;
}

const isStart = (text: string): boolean => /(^|[^\\][(|]|^[(|])\^?$/.test(text);

function escaped(one: string, isBasic: boolean): string {
	if (one === "<" || one === ">") return "\\b";
	if (one === "`") return "\\A";
	if (one === "'") return "\\z";
	if (/[1-9]/.test(one)) throw new Error("back-references cannot be matched in linear time");
	if (operators.includes(one)) return isBasic ? one : `\\${one}`;
	if (/[wWsSbB]/.test(one)) return `\\${one}`;
	return RE2JS.quote(one);
}

/** The index after the bracket expression that begins at `start`. */
function bracketEnd(pattern: string, start: number): number {
	let at = start + 1;
	if (pattern.charAt(at) === "^") at++;
	if (pattern.charAt(at) === "]") at++;
	while (at < pattern.length && pattern.charAt(at) !== "]") {
		const open = /^\[[:.=]/.exec(pattern.slice(at, at + 2));
		const close = open ? pattern.indexOf(`${open[0].charAt(1)}]`, at + 2) : -1;
		at = close < 0 ? at + 1 : close + 2;
	}
	if (at >= pattern.length) throw new Error("Unmatched [, [^, [:, [., or [=");
	return at + 1;
}

/** Between brackets a backslash is itself, and `]` may come first. */
function bracket(text: string): string {
	const [, open = "[", content = ""] = /^(\[\^?)([\s\S]*)\]$/.exec(text) ?? [];
	const parts = content.match(/\[:\w+:\]|[\s\S]/g) ?? [];
	return `${open}${parts.map(bracketPart).join("")}]`;
}

function bracketPart(part: string): string {
	if (part.startsWith("[:")) return part;
	return /[\\\][&~]/.test(part) ? `\\${part}` : part;
}
