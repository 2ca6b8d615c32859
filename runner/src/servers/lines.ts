import { Outline } from "./outline";

const newline = 0x0a;
const firstCapacity = 65_536;

export type Line =
	| { readonly text: string }
	/** More than `maxBytes`: only its outline is kept. */
	| { readonly outline: string };

/** Parts a stream of bytes into lines, and holds at most `maxBytes` of one that does not end. */
export class Lines {
	readonly #maxBytes: number;
	/** The beginning of a line whose end has not come yet. */
	#held = Buffer.alloc(0);
	#bytes = 0;
	#outline: Outline | undefined;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** Bytes of the line that has not ended yet, whether they are held or not. */
	get openBytes(): number {
		return this.#bytes;
	}

	/** Takes a piece and answers the lines that it ends. */
	push(chunk: Buffer): Line[] {
		const lines: Line[] = [];
		let start = 0;
		for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
			lines.push(this.#end(chunk.subarray(start, end)));
			start = end + 1;
		}
		if (start < chunk.length) this.#hold(chunk.subarray(start));
		return lines;
	}

	#end(last: Buffer): Line {
		if (this.#bytes === 0 && last.length <= this.#maxBytes) return { text: textOf(last) };
		this.#hold(last);
		const line = this.#outline
			? { outline: this.#outline.text() }
			: { text: textOf(this.#held.subarray(0, this.#bytes)) };
		this.#held = Buffer.alloc(0);
		this.#bytes = 0;
		this.#outline = undefined;
		return line;
	}

	#hold(piece: Buffer): void {
		const size = this.#bytes + piece.length;
		if (!this.#outline && size > this.#maxBytes) {
			this.#outline = new Outline();
			this.#outline.push(this.#held.subarray(0, this.#bytes));
			this.#held = Buffer.alloc(0);
		}
		if (this.#outline) this.#outline.push(piece);
		else this.#append(piece, size);
		this.#bytes = size;
	}

	/** Doubles the room when it runs out, so that a line sent byte by byte costs no more than another. */
	#append(piece: Buffer, size: number): void {
		if (size > this.#held.length) {
			const larger = Buffer.allocUnsafe(Math.max(firstCapacity, 2 * size));
			this.#held.copy(larger, 0, 0, this.#bytes);
			this.#held = larger;
		}
		piece.copy(this.#held, this.#bytes);
	}
}

const textOf = (bytes: Buffer) => bytes.toString().replace(/\r$/, "");
