const codes = { quote: 0x22, backslash: 0x5c, open: 0x7b, close: 0x7d, openList: 0x5b, closeList: 0x5d } as const;
/** Envelopes are short; what has more at its top is no message. */
const maxBytes = 4_096;

/**
 * The outermost members of a JSON object that is too long to keep, read in pieces, with `null` for each object and list
 * inside: enough to tell whose answer it was.
 */
export class Outline {
	readonly #kept: number[] = [];
	#depth = 0;
	#inString = false;
	#escaped = false;

	push(bytes: Uint8Array): void {
		for (const byte of bytes) this.#read(byte);
	}

	/** As JSON when the object is whole. */
	text(): string {
		return Buffer.from(this.#kept).toString();
	}

	#read(byte: number): void {
		if (this.#inString) this.#readInString(byte);
		else if (byte === codes.open || byte === codes.openList) this.#enter(byte);
		else if (byte === codes.close || byte === codes.closeList) this.#leave(byte);
		else {
			this.#inString = byte === codes.quote;
			this.#keep(byte);
		}
	}

	#readInString(byte: number): void {
		this.#keep(byte);
		if (this.#escaped) this.#escaped = false;
		else if (byte === codes.backslash) this.#escaped = true;
		else if (byte === codes.quote) this.#inString = false;
	}

	#enter(byte: number): void {
		this.#depth++;
		if (this.#depth === 1) this.#keep(byte);
		else if (this.#depth === 2 && this.#kept.length < maxBytes) this.#kept.push(...Buffer.from("null"));
	}

	#leave(byte: number): void {
		this.#keep(byte);
		this.#depth--;
	}

	#keep(byte: number): void {
		if (this.#depth === 1 && this.#kept.length < maxBytes) this.#kept.push(byte);
	}
}
