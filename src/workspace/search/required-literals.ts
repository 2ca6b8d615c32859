import type { RE2JS } from "re2js";

/** What re2js knows a match must hold, as its type declarations leave it open: re2js/src/Prefilter.js. */
interface Prefilter {
	readonly type: number;
	readonly str: string;
	readonly subs: readonly Prefilter[];
}
const exact = 1;
const allOf = 2;
const anyOf = 3;

/** Texts of which every match holds at least one; undefined when the pattern promises none. */
export function requiredLiterals(pattern: RE2JS): readonly string[] | undefined {
	const prefilter: Prefilter | null = pattern.re2().prefilter;
	return prefilter ? literalsOf(prefilter) : undefined;
}

function literalsOf({ type, str, subs }: Prefilter): readonly string[] | undefined {
	if (type === exact) return [str];
	const parts = subs.map(literalsOf);
	if (type === allOf) return parts.reduce((best, part) => (isBetter(part, best) ? part : best), undefined);
	if (type !== anyOf) return undefined;
	const known = parts.filter((part) => part !== undefined);
	return known.length === parts.length ? known.flat() : undefined;
}

/** The one whose shortest text is longest is found least often. */
function isBetter(part: readonly string[] | undefined, best: readonly string[] | undefined): boolean {
	return shortest(part) > shortest(best);
}

const shortest = (literals: readonly string[] = []) =>
	literals.length === 0 ? 0 : Math.min(...literals.map(({ length }) => length));
