import { PatternRefused } from "./pattern-refused";

const maxAlternatives = 100;

/**
 * The globs that `{a,b}` stands for, as bash expands them: nested, and text where there is no comma or no end.
 * Throws PatternRefused beyond 100 of them.
 */
export function expandBraces(glob: string): string[] {
	for (let at = 0; at < glob.length; at++) {
		if (glob[at] === "\\") at++;
		else if (glob[at] === "{") {
			const group = readGroup(glob, at);
			if (group) return expandGroup(glob.slice(0, at), group, glob.slice(group.end));
		}
	}
	return [glob];
}

function expandGroup(before: string, group: Group, after: string): string[] {
	const tails = expandBraces(after);
	const middles = group.alternatives.flatMap(expandBraces);
	if (middles.length * tails.length > maxAlternatives)
		throw new PatternRefused("pattern_too_large", `Braces may stand for at most ${maxAlternatives} globs.`);
	return middles.flatMap((middle) => tails.map((tail) => before + middle + tail));
}

interface Group {
	readonly alternatives: string[];
	/** The index after its closing brace. */
	readonly end: number;
}

function readGroup(glob: string, open: number): Group | undefined {
	const alternatives: string[] = [];
	let depth = 0;
	let begin = open + 1;
	for (let at = open + 1; at < glob.length; at++) {
		const char = glob[at];
		if (char === "\\") at++;
		else if (char === "{") depth++;
		else if (char === "}" && depth > 0) depth--;
		else if (depth === 0 && (char === "," || char === "}")) {
			alternatives.push(glob.slice(begin, at));
			begin = at + 1;
			if (char === "}") return alternatives.length > 1 ? { alternatives, end: at + 1 } : undefined;
		}
	}
	return undefined;
}
