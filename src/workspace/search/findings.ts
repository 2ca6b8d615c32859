/** A line as it is shown: found, or standing next to one that was. */
export interface FoundLine {
	readonly path: string;
	/** From 1. */
	readonly line: number;
	/** At most about 500 characters of it, around the match. */
	readonly text: string;
	readonly isMatch: boolean;
}

export interface GrepOutcome {
	readonly lines: readonly FoundLine[];
	/** Matching lines that are not among `lines`. */
	readonly more: number;
	/** Why the search ended before the last file; what is `more` is then more than that. */
	readonly stopped: "matches" | "bytes" | "work" | undefined;
	readonly filesSearched: number;
	/** Files with NUL bytes, or with a match in a line that is not UTF-8. */
	readonly binaryFiles: number;
	/** Lines longer than 64 KiB, which were searched in parts. */
	readonly longLines: number;
}

/** Matching lines counted beyond the limit; more than that tells nobody anything. */
const maxMore = 1_000;
const maxBytes = 268_435_456;
/** Steps of some 8 ns (see stepCounter): 5 s, which only a pattern and a text made to be slow take. */
const maxSteps = 600_000_000;
/** Steps after which others get their turn: 50 ms. */
const sliceSteps = 6_250_000;

/** What a search has found so far, and what it has cost. */
export class Findings {
	readonly limit: number;
	readonly lines: FoundLine[] = [];
	matches = 0;
	bytes = 0;
	steps = 0;
	filesSearched = 0;
	binaryFiles = 0;
	longLines = 0;
	#sliceEnd = sliceSteps;

	constructor(limit: number) {
		this.limit = limit;
	}

	get isFull(): boolean {
		return this.matches >= this.limit;
	}

	get stopped(): GrepOutcome["stopped"] {
		if (this.matches >= this.limit + maxMore) return "matches";
		if (this.bytes >= maxBytes) return "bytes";
		return this.steps >= maxSteps ? "work" : undefined;
	}

	/** True once after each slice. */
	endsSlice(): boolean {
		if (this.steps < this.#sliceEnd) return false;
		this.#sliceEnd = this.steps + sliceSteps;
		return true;
	}

	outcome(): GrepOutcome {
		const { lines, stopped, filesSearched, binaryFiles, longLines } = this;
		return { lines, more: Math.max(0, this.matches - this.limit), stopped, filesSearched, binaryFiles, longLines };
	}
}
