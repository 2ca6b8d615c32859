import type { Replacer } from "../../../src/lib/redact-known";

/** The end of a stream of text, without the secrets in it. */
export class Tail {
	readonly #maxCharacters: number;
	readonly #secrets: Replacer;
	readonly #decoder = new TextDecoder();
	#text = "";
	#open = "";
	#dropped = 0;

	constructor(maxCharacters: number, secrets: Replacer) {
		this.#maxCharacters = maxCharacters;
		this.#secrets = secrets;
	}

	push(bytes: Uint8Array): void {
		this.pushText(this.#decoder.decode(bytes, { stream: true }));
	}

	pushText(text: string): void {
		// A secret may go on in the next piece, so its beginning waits for that.
		const { done, rest } = this.#secrets.take(this.#open + text);
		this.#open = rest;
		this.#text += done;
		const excess = this.#text.length - this.#maxCharacters;
		if (excess <= 0) return;
		this.#dropped += excess;
		this.#text = this.#text.slice(excess);
	}

	read(): { text: string; droppedCharacters: number } {
		return { text: this.#text + this.#secrets.replace(this.#open), droppedCharacters: this.#dropped };
	}
}
