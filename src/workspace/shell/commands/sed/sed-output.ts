import type { SedWork } from "./sed-work";

/** What sed writes into one place. A line whose input had no end gets one only when more follows. */
export class SedOutput {
	readonly #work: SedWork;
	readonly #end: string;
	#text = "";
	#lacksEnd = false;

	constructor(work: SedWork, end: string) {
		this.#work = work;
		this.#end = end;
	}

	get text(): string {
		return this.#text;
	}

	line(text: string, isTerminated = true): void {
		this.raw(text + (isTerminated ? this.#end : ""));
		this.#lacksEnd = !isTerminated;
	}

	/** A text as it is. */
	raw(text: string): void {
		this.#text = this.#work.fitting(this.#text + (this.#lacksEnd ? this.#end : "") + text, "output");
		this.#lacksEnd = false;
	}
}
