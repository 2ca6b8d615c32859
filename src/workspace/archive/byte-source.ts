import { ArchiveRefused } from "./archive-entry";

const empty = new Uint8Array(0);

/** Reads a stream of bytes in the pieces that a format is made of, and holds little more than one of them. */
export class ByteSource {
	readonly #pieces: AsyncIterator<Uint8Array>;
	#ahead: Uint8Array = empty;

	constructor(pieces: AsyncIterable<Uint8Array>) {
		this.#pieces = pieces[Symbol.asyncIterator]();
	}

	/** The next bytes, which stay to be read; fewer at the end. */
	async peek(length: number): Promise<Uint8Array> {
		while (this.#ahead.length < length) if (!(await this.#fill())) break;
		return this.#ahead.subarray(0, length);
	}

	/** Exactly so many bytes. Throws ArchiveRefused where there are fewer. */
	async take(length: number): Promise<Uint8Array> {
		const bytes = await this.peek(length);
		if (bytes.length < length) throw endsTooEarly();
		this.#ahead = this.#ahead.subarray(length);
		return bytes;
	}

	/** The same as a stream of pieces. */
	async *pieces(length: number): AsyncGenerator<Uint8Array, void, void> {
		for (let left = length; left > 0; ) {
			if (this.#ahead.length === 0 && !(await this.#fill())) throw endsTooEarly();
			const bytes = this.#ahead.subarray(0, left);
			this.#ahead = this.#ahead.subarray(bytes.length);
			left -= bytes.length;
			yield bytes;
		}
	}

	/** Everything that is left. */
	async *rest(): AsyncGenerator<Uint8Array, void, void> {
		while (this.#ahead.length > 0 || (await this.#fill())) {
			const bytes = this.#ahead;
			this.#ahead = empty;
			yield bytes;
		}
	}

	/** Gives up what has not been read. */
	async close(): Promise<void> {
		await this.#pieces.return?.();
	}

	async #fill(): Promise<boolean> {
		const next = await this.#pieces.next();
		if (next.done) return false;
		this.#ahead = this.#ahead.length === 0 ? next.value : joined(this.#ahead, next.value);
		return true;
	}
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
	const bytes = new Uint8Array(left.length + right.length);
	bytes.set(left);
	bytes.set(right, left.length);
	return bytes;
}

const endsTooEarly = () => new ArchiveRefused("broken_archive", "The archive ends too early: a part of it is missing.");
