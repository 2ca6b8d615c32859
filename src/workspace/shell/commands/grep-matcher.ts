import { RE2JS } from "re2js";
import { stepsOfInstruction } from "../../search/step-counter";
import type { GrepWork } from "./grep-work";
import { type PatternKind, toLinearPattern } from "./posix-pattern";

export interface Match {
	readonly start: number;
	readonly end: number;
}

/** Finds what a line has of some patterns: the first match from an index on, the longest of those that begin there. */
export type Matcher = (line: string, from: number) => Match | undefined;

export interface MatcherOptions {
	readonly kind: PatternKind;
	readonly ignoresCase: boolean;
	readonly wholeWords: boolean;
	readonly wholeLines: boolean;
}

/** Throws with re2js's words when a pattern is none; the matcher does where a line is too much work. */
export function matcherOf(patterns: readonly string[], options: MatcherOptions, work: GrepWork): Matcher {
	const compiled = patterns.map((pattern) => compile(pattern, options, work));
	return (line, from) => {
		const found = compiled.flatMap((find) => find(line, from) ?? []);
		return found.reduce<Match | undefined>(
			(best, one) => (best === undefined || isBefore(one, best) ? one : best),
			undefined,
		);
	};
}

const isBefore = (one: Match, other: Match): boolean =>
	one.start < other.start || (one.start === other.start && one.end > other.end);

function compile(
	pattern: string,
	{ kind, ignoresCase, wholeWords, wholeLines }: MatcherOptions,
	work: GrepWork,
): Matcher {
	// Perl's `\K` lets what is before it be matched and not be part of the match.
	const [before, kept] = kind === "perl" ? splitKeep(pattern) : [undefined, pattern];
	const translated = toLinearPattern(kept, kind);
	const inner = before === undefined ? `(${translated})` : `(?:${before})(${translated})`;
	const flags = (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0) | (kind === "perl" ? 0 : RE2JS.LONGEST_MATCH);
	const program = RE2JS.compile(wholeLines ? `^(?:${inner})$` : inner, flags);
	const group = before === undefined ? 1 : program.groupCount() - groupsIn(translated);
	const stepsOfCharacter = stepsOfInstruction * program.programSize();
	return (line, from) => {
		const matcher = program.matcher(line);
		for (let at = from; at <= line.length; ) {
			work.check((line.length - at) * stepsOfCharacter);
			const isFound = matcher.find(at);
			work.spend(((isFound ? matcher.end() : line.length) - at) * stepsOfCharacter);
			if (!isFound) return undefined;
			const match = { start: matcher.start(group), end: matcher.end(group) };
			if (!wholeWords || isWholeWord(line, match)) return match;
			at = matcher.start() + 1;
		}
		return undefined;
	};
}

const groupsIn = (pattern: string): number => RE2JS.compile(pattern).groupCount();

function splitKeep(pattern: string): [string | undefined, string] {
	const match = /^((?:[^\\]|\\[^K])*?)\\K([\s\S]*)$/.exec(pattern);
	return match ? [match[1] ?? "", match[2] ?? ""] : [undefined, pattern];
}

const isWholeWord = (line: string, { start, end }: Match): boolean =>
	!isWordCharacter(line.charAt(start - 1)) && !isWordCharacter(line.charAt(end));

const isWordCharacter = (one: string): boolean => /^[\p{L}\p{N}_]$/u.test(one);
