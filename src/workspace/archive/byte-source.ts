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
		if (this.#ahead.length < length) await this.#gather(length);
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

	/** When nothing is left of the piece before. */
	async #fill(): Promise<boolean> {
		const next = await this.#pieces.next();
		if (next.done) return false;
		this.#ahead = next.value;
		return true;
	}

	/** Joined once at the end: pieces may be of a byte each. */
	async #gather(length: number): Promise<void> {
		const pieces = [this.#ahead];
		let size = this.#ahead.length;
		while (size < length) {
			const next = await this.#pieces.next();
			if (next.done) break;
			pieces.push(next.value);
			size += next.value.length;
		}
		this.#ahead = joined(pieces, size);
	}
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
	const bytes = new Uint8Array(size);
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return bytes;
}

const endsTooEarly = () => new ArchiveRefused("broken_archive", "The archive ends too early: a part of it is missing.");
