import { SedText } from "./sed-text";
import type { SedWork } from "./sed-work";

/** What sed writes into one place. A line whose input had no end gets one only when more follows. */
export class SedOutput {
	readonly #text: SedText;
	readonly #end: string;
	#lacksEnd = false;

	constructor(work: SedWork, end: string) {
		this.#text = new SedText(work, "output");
		this.#end = end;
	}

	get text(): string {
		return this.#text.toString();
	}

	line(text: string, isTerminated = true): void {
		this.raw(text + (isTerminated ? this.#end : ""));
		this.#lacksEnd = !isTerminated;
	}

	/** A text as it is. */
	raw(text: string): void {
		this.#text.add(this.#lacksEnd ? this.#end + text : text);
		this.#lacksEnd = false;
	}
}
