/** A pattern that is not run: the message says what about it, and what would do. */
export class PatternRefused extends Error {
	override readonly name = "PatternRefused";
	readonly reason: "pattern_too_large" | "pattern_unsupported";

	constructor(reason: PatternRefused["reason"], message: string) {
		super(message);
		this.reason = reason;
	}
}

/** What any pattern may have in UTF-8 bytes. */
export const maxPatternBytes = 1_024;
