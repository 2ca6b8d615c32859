import { type KnownSecret, knownValues, type Replacer } from "./redact-known";
import { secretPatterns } from "./redact-patterns";

export type { KnownSecret } from "./redact-known";

export interface RedactedStream {
	/** Takes the next piece and answers what is safe to show by now. */
	push(chunk: string): string;
	/** Answers what was held back. */
	end(): string;
}

export interface Redactor {
	redact(text: string): string;
	/** Takes out known values only: for what a person wrote, whose links and words must stay as they are. */
	redactKnown(text: string): string;
	/** Redacts a text that comes in pieces, with the same outcome as if it had come whole. */
	stream(): RedactedStream;
}

/** Knows the secrets by value and the shapes of others; made once per set of secrets, then used for every text. */
export function createRedactor(secrets: readonly KnownSecret[]): Redactor {
	const known = knownValues(secrets);
	return {
		redact: (text) => secretPatterns.replace(known.replace(text)),
		redactKnown: (text) => known.replace(text),
		stream() {
			const values = growing(known);
			const patterns = growing(secretPatterns);
			return {
				push: (chunk) => patterns.push(values.push(chunk)),
				end: () => patterns.push(values.end()) + patterns.end(),
			};
		},
	};
}

function growing(replacer: Replacer): RedactedStream {
	let held = "";
	return {
		push(chunk) {
			const { done, rest } = replacer.take(held + chunk);
			held = rest;
			return done;
		},
		end() {
			const rest = replacer.replace(held);
			held = "";
			return rest;
		},
	};
}
