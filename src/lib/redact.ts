import { type KnownSecret, knownValues } from "./redact-known";
import { openPatternTail, replacePatterns } from "./redact-patterns";

export type { KnownSecret } from "./redact-known";

export interface RedactedStream {
	/** Takes the next piece and answers what is safe to show by now. */
	push(chunk: string): string;
	/** Answers what was held back. */
	end(): string;
}

export interface Redactor {
	redact(text: string): string;
	/** Redacts a text that comes in pieces, with the same outcome as if it had come whole. */
	stream(): RedactedStream;
}

/** Knows the secrets by value and the shapes of others; made once per set of secrets, then used for every text. */
export function createRedactor(secrets: readonly KnownSecret[]): Redactor {
	const known = knownValues(secrets);
	return {
		redact: (text) => replacePatterns(known.replace(text)),
		stream() {
			const values = heldBack(known.openTail, known.replace);
			const patterns = heldBack(openPatternTail, replacePatterns);
			return {
				push: (chunk) => patterns.push(values.push(chunk)),
				end: () => patterns.push(values.end()) + patterns.end(),
			};
		},
	};
}

/** Applies `replace` to all of a growing text but its tail, of which `openTail` tells the beginning. */
function heldBack(openTail: (text: string) => number, replace: (text: string) => string): RedactedStream {
	let held = "";
	return {
		push(chunk) {
			const text = held + chunk;
			const cut = openTail(text);
			held = text.slice(cut);
			return replace(text.slice(0, cut));
		},
		end() {
			const rest = replace(held);
			held = "";
			return rest;
		},
	};
}
