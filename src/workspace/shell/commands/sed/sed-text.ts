import type { SedWork } from "./sed-work";

/** Pieces that are joined at once: a text that grows by each of them is a chain of them, many times as large as what it says. */
const maxPieces = 4_096;

/** A text that grows by small pieces, as far as it may. */
export class SedText {
	readonly #work: SedWork;
	readonly #what: string;
	#joined = "";
	#pieces: string[] = [];
	#length = 0;

	/** `what` names it where it is too long. */
	constructor(work: SedWork, what: string) {
		this.#work = work;
		this.#what = what;
	}

	/** Throws SedLimit. */
	add(text: string): void {
		this.#length += text.length;
		this.#work.checkLength(this.#length, this.#what);
		this.#pieces.push(text);
		if (this.#pieces.length >= maxPieces) this.#join();
	}

	toString(): string {
		this.#join();
		return this.#joined;
	}

	#join(): void {
		this.#joined += this.#pieces.join("");
		this.#pieces = [];
	}
}
