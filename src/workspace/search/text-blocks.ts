const newline = 0x0a;
const blockBytes = 16_384;
/** A longer line is given in parts, so that no line fills the memory. */
const maxLineBytes = 65_536;
/** What two parts of one line have in common, so that a match of this length is in one of them. */
const overlapBytes = 1_024;

export interface TextBlock {
	readonly bytes: Buffer;
	/** False for a part of a line that begins in the block before. */
	readonly startsLine: boolean;
	/** False for a part of a line whose rest follows. */
	readonly endsLine: boolean;
	/** True where no content follows; what follows another may be nothing, too. */
	readonly isLast: boolean;
}

/** Cuts content into blocks of whole lines of about 16 KiB, each of which lasts until the next is asked for. */
export function* textBlocks(pieces: Iterable<Uint8Array>): Generator<TextBlock, void, void> {
	const rest = new Rest();
	let startsLine = true;
	for (const piece of pieces) {
		const bytes = rest.with(piece);
		let begin = 0;
		while (bytes.length - begin > blockBytes) {
			const end = endOfBlock(bytes, begin);
			if (end === undefined) break;
			const endsLine = bytes[end - 1] === newline;
			yield { bytes: bytes.subarray(begin, end), startsLine, endsLine, isLast: false };
			startsLine = endsLine;
			begin = endsLine ? end : startOfCharacter(bytes, end - overlapBytes);
		}
		rest.keep(bytes.subarray(begin));
	}
	const bytes = rest.with(new Uint8Array());
	if (bytes.length > 0) yield { bytes, startsLine, endsLine: true, isLast: true };
}

/** What is left of one piece when the next comes, in memory that is used again: a copy of each piece would be a file of garbage. */
class Rest {
	#memory: Buffer = Buffer.alloc(0);
	#length = 0;

	keep(bytes: Buffer): void {
		if (bytes.length > this.#memory.length) this.#memory = Buffer.from(bytes);
		else bytes.copy(this.#memory);
		this.#length = bytes.length;
	}

	/** Followed by a piece; lasts until something is kept again. */
	with(piece: Uint8Array): Buffer {
		if (this.#length === 0) return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
		const length = this.#length + piece.length;
		if (length > this.#memory.length) {
			this.#memory = Buffer.concat([this.#memory.subarray(0, this.#length)], length + maxLineBytes);
		}
		this.#memory.set(piece, this.#length);
		return this.#memory.subarray(0, length);
	}
}

/** Undefined when the line that begins there is not known to its end and may still be a whole one. */
function endOfBlock(bytes: Buffer, begin: number): number | undefined {
	const last = bytes.subarray(begin, begin + blockBytes).lastIndexOf(newline);
	if (last >= 0) return begin + last + 1;
	const next = bytes.subarray(begin, begin + maxLineBytes).indexOf(newline, blockBytes);
	if (next >= 0) return begin + next + 1;
	return bytes.length - begin > maxLineBytes ? startOfCharacter(bytes, begin + maxLineBytes) : undefined;
}

/** The nearest place at or before `at` that does not cut a character of UTF-8 in two. */
function startOfCharacter(bytes: Uint8Array, at: number): number {
	for (let start = at; start > at - 4 && start > 0; start--) if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start;
	return at;
}

export function countNewlines(bytes: Uint8Array): number {
	let count = 0;
	for (const byte of bytes) if (byte === newline) count++;
	return count;
}

/** The lines of a block; what follows its last newline is one only when it is not empty. */
export function linesOf(bytes: Buffer): string[] {
	const end = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length;
	return bytes.toString("utf8", 0, end).split("\n");
}

/** The last `count` lines of a block that ends in a newline. */
export function lastLinesOf(bytes: Buffer, count: number): string[] {
	let begin = bytes.length;
	for (let found = 0; found < count && begin > 0; found++)
		begin = bytes.subarray(0, begin - 1).lastIndexOf(newline) + 1;
	return begin === bytes.length ? [] : linesOf(bytes.subarray(begin));
}
