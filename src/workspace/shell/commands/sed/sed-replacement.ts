import type { RE2JS } from "re2js";
import { plainEscape } from "./sed-scanner";
import { SedText } from "./sed-text";
import type { SedWork } from "./sed-work";

/** `\U`, `\L`, `\u`, `\l` and `\E`. */
export type Case = "U" | "L" | "u" | "l" | "E";

/** A text, a group of the match (0 is all of it), or how what follows is written. */
export type ReplacementPart = string | { readonly group: number } | { readonly letterCase: Case };

const replacementToken = /\\(x[0-9A-Fa-f]{2}|o[0-7]{3}|d\d{3}|[\s\S])|&|[^\\&]+/g;

/** Reads the second half of an `s`. */
export function readReplacement(source: string, delimiter: string): ReplacementPart[] {
	const parts: ReplacementPart[] = [];
	for (const [whole, escaped] of source.matchAll(replacementToken)) {
		if (whole === "&") parts.push({ group: 0 });
		else if (escaped === undefined) parts.push(whole);
		else if (/^\d$/.test(escaped)) parts.push({ group: Number(escaped) });
		else if (isCase(escaped)) parts.push({ letterCase: escaped });
		else parts.push(escaped === delimiter ? escaped : (plainEscape(escaped) ?? escaped));
	}
	return parts;
}

const isCase = (letter: string): letter is Case => /^[ULulE]$/.test(letter);

/** What is to be replaced in a text. */
export interface Replacing {
	readonly pattern: RE2JS;
	readonly replacement: readonly ReplacementPart[];
	readonly isGlobal: boolean;
	readonly nth: number;
}

/** The text with its matches replaced; undefined when nothing was. */
export async function replaced(
	text: string,
	{ pattern, replacement, isGlobal, nth }: Replacing,
	work: SedWork,
): Promise<string | undefined> {
	const matcher = pattern.matcher(text);
	const result = new SedText(work, "pattern space");
	let [copied, count, isFound] = [0, 0, false];
	for (let at = 0, lastEnd = -1; at <= text.length && matcher.find(at); ) {
		const [start, end] = [matcher.start(), matcher.end()];
		await work.spend(end - at + 1);
		at = end > start ? end : end + characterLength(text, end);
		// An empty match right behind another is none.
		if (start === end && start === lastEnd) continue;
		lastEnd = end;
		if (++count < nth) continue;
		isFound = true;
		result.add(text.slice(copied, start) + filled(replacement, matcher));
		copied = end;
		if (!isGlobal) break;
	}
	if (!isFound) return undefined;
	result.add(text.slice(copied));
	return result.toString();
}

const characterLength = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function filled(replacement: readonly ReplacementPart[], match: { group(index: number): string | null }): string {
	let [text, letterCase, nextCase]: [string, Case, Case | undefined] = ["", "E", undefined];
	for (const part of replacement) {
		if (typeof part === "object" && "letterCase" in part) {
			if (part.letterCase === "u" || part.letterCase === "l") nextCase = part.letterCase;
			else [letterCase, nextCase] = [part.letterCase, undefined];
			continue;
		}
		const piece = inCase(typeof part === "string" ? part : (match.group(part.group) ?? ""), letterCase);
		const first = String.fromCodePoint(...[piece.codePointAt(0)].filter((one) => one !== undefined));
		text += nextCase === undefined ? piece : inCase(first, nextCase) + piece.slice(first.length);
		if (piece !== "") nextCase = undefined;
	}
	return text;
}

function inCase(text: string, letterCase: Case): string {
	if (letterCase === "E") return text;
	return letterCase.toUpperCase() === "U" ? text.toUpperCase() : text.toLowerCase();
}
