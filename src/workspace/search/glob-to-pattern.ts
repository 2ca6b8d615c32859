import { RE2JS } from "re2js";
import { utf8Length } from "../../lib/text";
import { expandBraces } from "./expand-braces";
import { maxPatternBytes, PatternRefused } from "./pattern-refused";
import { wildcardsToPattern } from "./wildcards";

/** What all that its braces stand for may have together, in characters. */
const maxExpandedLength = 16_384;

/** A glob as RE2 text for a whole path (see wildcardsToPattern), with `{a,b}` for either. Names that begin with a dot are names like others. */
export const globToPattern = (glob: string): string => patternOf(expand(glob));

/** A glob made ready for a walk: where to begin, how deep to go, and what to take there. */
export interface PathGlob {
	/** The folders that it begins with in plain text; "" for none. */
	readonly folder: string;
	/** Names in the longest path below the folder that it can match. */
	readonly depth: number;
	/** Of a path below the folder; linear in its length. */
	matches(path: string): boolean;
}

export function parseGlob(glob: string): PathGlob {
	const globs = expand(glob).map((one) => one.split("/"));
	const folder = globs.map(plainFolders).reduce(commonStart);
	const rest = globs.map((names) => names.slice(folder.length));
	const pattern = RE2JS.compile(patternOf(rest.map((names) => names.join("/"))), RE2JS.DOTALL);
	return {
		folder: folder.length === 1 && folder[0] === "" ? "/" : folder.join("/"),
		depth: Math.max(...rest.map((names) => (names.some(isAnyDepth) ? Number.POSITIVE_INFINITY : names.length))),
		matches: (path) => pattern.testExact(path),
	};
}

function expand(glob: string): string[] {
	if (utf8Length(glob) > maxPatternBytes)
		throw new PatternRefused("pattern_too_large", `A glob has at most ${maxPatternBytes} bytes.`);
	const globs = expandBraces(glob);
	if (globs.reduce((sum, { length }) => sum + length, 0) > maxExpandedLength)
		throw new PatternRefused("pattern_too_large", "The braces of this glob stand for too much text.");
	return globs;
}

const patternOf = (globs: readonly string[]) => `(?:${globs.map(wildcardsToPattern).join("|")})`;

/** The names before the last one, up to the first that is a pattern. */
function plainFolders(names: readonly string[]): string[] {
	const special = names.findIndex((name) => /[*?[\\]/.test(name));
	return names.slice(0, special < 0 ? -1 : Math.min(special, names.length - 1));
}

function commonStart(first: string[], second: string[]): string[] {
	const different = first.findIndex((name, at) => name !== second[at]);
	return different < 0 ? first : first.slice(0, different);
}

const isAnyDepth = (name: string) => /^\*\*+$/.test(name);
