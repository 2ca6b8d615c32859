import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { utf8Length } from "../../lib/text";
import { maxPatternBytes, PatternRefused } from "./pattern-refused";
import { requiredLiterals } from "./required-literals";
import { stepCounter } from "./step-counter";

export interface PatternOptions {
	readonly pattern: string;
	readonly ignoreCase?: boolean;
	/** The pattern is plain text. */
	readonly literal?: boolean;
}

/** What is looked for in each line. */
export interface LinePattern {
	/** False only when no line of these bytes matches; a small part of the work of `test`. */
	mayMatch(block: Buffer): boolean;
	test(line: string): boolean;
	/** Where in a line that matches the match begins, if only about so in a very long one. */
	placeIn(line: string): number;
	/** What it has cost to test so many bytes: see stepCounter. */
	readonly steps: (bytes: number) => number;
}

/** What a pattern may compile to: a little more than one of 1 KiB that repeats nothing. */
const maxInstructions = 1_100;
const windowLength = 8_192;

/** RE2 syntax, run in linear time. Throws PatternRefused. */
export function compileLinePattern({ pattern, ignoreCase = false, literal = false }: PatternOptions): LinePattern {
	if (utf8Length(pattern) > maxPatternBytes)
		throw new PatternRefused("pattern_too_large", `A pattern has at most ${maxPatternBytes} bytes.`);
	const text = literal ? RE2JS.quote(pattern) : pattern;
	const asWritten = compile(text, 0);
	const literals = requiredLiterals(asWritten);
	if (literals?.every((word) => word.includes("\n")))
		throw new PatternRefused(
			"pattern_unsupported",
			"A match lies within one line: the pattern cannot hold a line break.",
		);
	const expression = ignoreCase ? compile(text, RE2JS.CASE_INSENSITIVE) : asWritten;
	if (expression.programSize() > maxInstructions)
		throw new PatternRefused("pattern_too_large", "The pattern repeats too much: take smaller counts.");
	return {
		mayMatch: ignoreCase ? foldedSearch(literals) : exactSearch(literals),
		test: (line) => expression.test(line),
		placeIn: (line) => placeIn(expression, line),
		steps: stepCounter(expression),
	};
}

/** Only a window is searched for the place: to find it takes many times as long as to know that there is one. */
function placeIn(expression: RE2JS, line: string): number {
	for (let begin = 0; begin < line.length; begin += windowLength / 2) {
		const window = line.slice(begin, begin + windowLength);
		if (!expression.test(window)) continue;
		const matcher = expression.matcher(window);
		return matcher.find() ? begin + matcher.start() : begin;
	}
	return 0;
}

function compile(text: string, flags: number): RE2JS {
	try {
		return RE2JS.compile(text, flags);
	} catch (error) {
		if (error instanceof RE2JSException) throw refusalOf(error);
		throw error;
	}
}

function refusalOf(error: RE2JSException): PatternRefused {
	const fault = error instanceof RE2JSSyntaxException ? error.error : error.message;
	if (/repeat count|too large|too deeply/.test(fault))
		return new PatternRefused("pattern_too_large", `The pattern repeats or nests too much: ${fault}.`);
	return new PatternRefused(
		"pattern_unsupported",
		`The pattern is not RE2 syntax (which has no lookaround and no backreferences): ${error.message}. To look for it as plain text, set literal to true.`,
	);
}

function exactSearch(literals: readonly string[] | undefined): LinePattern["mayMatch"] {
	if (!literals) return () => true;
	const words = literals.map((literal) => Buffer.from(literal));
	return (block) => words.some((word) => block.includes(word));
}

function foldedSearch(literals: readonly string[] | undefined): LinePattern["mayMatch"] {
	const words = literals?.map(longestFoldable);
	if (!words || words.includes("")) return () => true;
	return (block) => {
		const text = block.toString("latin1").toLowerCase();
		return words.some((word) => text.includes(word));
	};
}

/** The longest run of ASCII, in lower case, without k and s: U+212A and U+017F are their equals when case is ignored. */
function longestFoldable(literal: string): string {
	const runs = literal.split(/[^\0-\x7f]|[ks]/i);
	return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "").toLowerCase();
}
