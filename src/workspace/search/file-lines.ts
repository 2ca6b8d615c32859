import type { Findings } from "./findings";
import type { LinePattern } from "./line-pattern";
import { shownText } from "./shown-text";
import { lastLinesOf } from "./text-blocks";

export interface LineSearch {
	readonly path: string;
	readonly pattern: LinePattern;
	readonly contextLines: number;
	readonly found: Findings;
}

/** Puts down the matching lines of one file and so many around each, none twice. */
export class FileLines {
	readonly #search: LineSearch;
	#before: { line: number; text: string }[] = [];
	#owed = 0;
	#lastMatch = 0;

	constructor(search: LineSearch) {
		this.#search = search;
	}

	/** Whether the lines that follow are to be shown, matching or not. */
	get isOwed(): boolean {
		return this.#owed > 0;
	}

	/** Whether that line has matched already: the rest of a long one is not asked for. */
	hasMatched(line: number): boolean {
		return line === this.#lastMatch;
	}

	match(line: number, text: string): void {
		const { path, pattern, contextLines, found } = this.#search;
		this.#lastMatch = line;
		this.#owed = found.isFull ? 0 : contextLines;
		if (!found.isFull) {
			for (const before of this.#before) this.#putContext(before.line, before.text);
			found.lines.push({ path, line, text: shownText(text, pattern.placeIn), isMatch: true });
		}
		this.#before = [];
		found.matches++;
	}

	pass(line: number, text: string): void {
		const { contextLines } = this.#search;
		if (contextLines === 0) return;
		if (this.#owed > 0) {
			this.#owed--;
			this.#putContext(line, text);
			return;
		}
		this.#before = [...this.#before.filter((before) => before.line < line), { line, text }].slice(-contextLines);
	}

	/** Lines without a match, the last of them before `nextLine`. */
	passBlock(bytes: Buffer, nextLine: number): void {
		const lines = lastLinesOf(bytes, this.#search.contextLines);
		for (const [at, text] of lines.entries()) this.pass(nextLine - lines.length + at, text);
	}

	#putContext(line: number, text: string): void {
		const { path, found } = this.#search;
		found.lines.push({ path, line, text: shownText(text), isMatch: false });
	}
}
