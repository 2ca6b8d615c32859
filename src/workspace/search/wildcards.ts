import { RE2JS } from "re2js";
import { readBracketClass } from "./bracket-class";
import { PatternRefused } from "./pattern-refused";

/**
 * A glob without braces as RE2 text, to be matched against a whole path with `.` for any character:
 * `*` and `?` stay within a name, `**` as a whole name is any number of folders, `[a-z]` and `[!a-z]` are one character, `\` takes away a meaning.
 * Throws PatternRefused for a `[` or `\` that stands open.
 */
export function wildcardsToPattern(glob: string): string {
	let pattern = "";
	let at = 0;
	while (at < glob.length) {
		const stars = countStars(glob, at);
		if (stars > 1 && isWholeName(glob, at, stars)) {
			const isLast = at + stars === glob.length;
			pattern += isLast ? ".*" : "(?:.*/)?";
			at += isLast ? stars : stars + 1;
		} else if (stars > 0) {
			pattern += "[^/]*";
			at += stars;
		} else if (glob[at] === "?") {
			pattern += "[^/]";
			at++;
		} else if (glob[at] === "[") {
			const bracket = readBracketClass(glob, at);
			pattern += bracket.pattern;
			at = bracket.end;
		} else {
			const char = readLiteral(glob, glob[at] === "\\" ? at + 1 : at);
			pattern += RE2JS.quote(char.text);
			at = char.end;
		}
	}
	return pattern;
}

function countStars(glob: string, from: number): number {
	let at = from;
	while (glob[at] === "*") at++;
	return at - from;
}

function isWholeName(glob: string, at: number, stars: number): boolean {
	const next = glob[at + stars];
	return (at === 0 || glob[at - 1] === "/") && (next === undefined || next === "/");
}

function readLiteral(glob: string, at: number): { text: string; end: number } {
	const codePoint = glob.codePointAt(at);
	if (codePoint === undefined) throw new PatternRefused("pattern_unsupported", "A glob ends in a lone backslash.");
	const text = String.fromCodePoint(codePoint);
	return { text, end: at + text.length };
}
