import {
	chunkBytes,
	forgetHeld,
	heldBy,
	holdChunk,
	newOwner,
	putChunk,
	releaseHeld,
	resizeList,
	setChunk,
} from "./chunks";
import type { Content } from "./content";
import type { Database } from "./database";
import type { ContentWriter } from "./file-system";
import { FsError } from "./fs-error";

/** Content on its way into a file: whole chunks are stored and held, at most one is in memory. */
export class HeldContent implements ContentWriter {
	readonly #db: Database;
	readonly #owner: number;
	readonly #maxBytes: number;
	/** Grows with what is written, up to one chunk. */
	#buffer = new Uint8Array(4_096);
	#buffered = 0;
	#stored = 0;

	constructor(db: Database, maxBytes: number) {
		this.#db = db;
		this.#owner = newOwner(db);
		this.#maxBytes = maxBytes;
	}

	get size(): number {
		return this.#stored * chunkBytes + this.#buffered;
	}

	write(bytes: Uint8Array): void {
		checkFileSize(this.size + bytes.length, this.#maxBytes, "content");
		for (let at = 0; at < bytes.length; ) {
			const piece = bytes.subarray(at, at + chunkBytes - this.#buffered);
			this.#reserve(this.#buffered + piece.length);
			this.#buffer.set(piece, this.#buffered);
			this.#buffered += piece.length;
			at += piece.length;
			if (this.#buffered === chunkBytes) this.#store();
		}
	}

	discard(): void {
		releaseHeld(this.#db, this.#owner);
	}

	/** Hands the chunks over, in the transaction that puts them into a file. */
	take(): Content {
		const held = heldBy(this.#db, this.#owner);
		if (held.length !== this.#stored) throw new Error("This content has been placed or discarded.");
		const rest = this.#buffered > 0 ? [putChunk(this.#db, this.#buffer.subarray(0, this.#buffered))] : [];
		const hashes = [...held, ...rest];
		forgetHeld(this.#db, this.#owner);
		const chunks = resizeList(new Uint8Array(), hashes.length);
		for (const [index, hash] of hashes.entries()) setChunk(chunks, index, hash);
		return { size: this.size, chunks, firstNew: 0, endNew: hashes.length };
	}

	#store(): void {
		this.#db.transaction(() => holdChunk(this.#db, this.#owner, putChunk(this.#db, this.#buffer)));
		this.#stored++;
		this.#buffered = 0;
	}

	#reserve(length: number): void {
		if (length <= this.#buffer.length) return;
		const larger = new Uint8Array(Math.min(chunkBytes, Math.max(length, 2 * this.#buffer.length)));
		larger.set(this.#buffer.subarray(0, this.#buffered));
		this.#buffer = larger;
	}
}

/** Throws EFBIG. */
export function checkFileSize(size: number, maxBytes: number, path: string): void {
	if (size <= maxBytes) return;
	throw new FsError("EFBIG", path, `file too large: ${size} bytes, at most ${maxBytes} are allowed in one file`);
}
