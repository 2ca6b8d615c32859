import { type ChunkList, chunkAt, chunkBytes, chunkCount, putChunk, readChunk, resizeList, setChunk } from "./chunks";
import type { Database } from "./database";

/** Where a file's bytes are. */
export interface StoredBytes {
	readonly size: number;
	readonly chunks: ChunkList;
}

/** Bytes that a file is to have: the chunks from `firstNew` to before `endNew` were put for it, the others are those it has. */
export interface Content extends StoredBytes {
	readonly firstNew: number;
	readonly endNew: number;
}

const noBytes: StoredBytes = { size: 0, chunks: new Uint8Array() };
const chunksFor = (size: number): number => Math.ceil(size / chunkBytes);

/** All of a file. */
export const contentOf = (db: Database, bytes: Uint8Array): Content => overwrite(db, noBytes, 0, bytes);

/** The same with other bytes from `offset`; what lies between the old end and there is zero. */
export function overwrite(db: Database, old: StoredBytes, offset: number, bytes: Uint8Array): Content {
	const end = offset + bytes.length;
	const size = Math.max(old.size, end);
	const chunks = resizeList(old.chunks, chunksFor(size));
	const firstNew = Math.floor(offset / chunkBytes);
	const endNew = bytes.length === 0 ? firstNew : chunksFor(end);
	for (let index = firstNew; index < endNew; index++) {
		const start = index * chunkBytes;
		const piece = bytes.subarray(Math.max(0, start - offset), start + chunkBytes - offset);
		const isWhole = offset <= start && end >= Math.min(old.size, start + chunkBytes);
		const data = isWhole ? piece : laidOver(db, old, index, Math.max(0, offset - start), piece);
		setChunk(chunks, index, putChunk(db, data));
	}
	return { size, chunks, firstNew, endNew };
}

/** A chunk of a file with a piece of it replaced. */
function laidOver(db: Database, old: StoredBytes, index: number, at: number, piece: Uint8Array): Uint8Array {
	const before = index < chunkCount(old.chunks) ? readChunk(db, chunkAt(old.chunks, index)) : new Uint8Array();
	const data = new Uint8Array(Math.max(before.length, at + piece.length));
	data.set(before);
	data.set(piece, at);
	return data;
}

/** The same cut short, or made longer with zeros. */
export function resize(db: Database, old: StoredBytes, size: number): Content {
	const count = chunksFor(size);
	const chunks = resizeList(old.chunks, count);
	const kept = size % chunkBytes;
	const cut = count - 1;
	if (size >= old.size || kept === 0) return { size, chunks, firstNew: count, endNew: count };
	setChunk(chunks, cut, putChunk(db, readChunk(db, chunkAt(old.chunks, cut)).subarray(0, kept)));
	return { size, chunks, firstNew: cut, endNew: count };
}

export interface ByteRange {
	readonly offset?: number;
	readonly length?: number;
}

/** The bytes of a range piece by piece, a piece for each chunk, which lasts until the next is asked for. */
export function* readPieces(
	db: Database,
	{ size, chunks }: StoredBytes,
	{ offset = 0, length = Number.POSITIVE_INFINITY }: ByteRange = {},
): Generator<Uint8Array, void, void> {
	const end = Math.min(size, offset + length);
	for (let at = offset; at < end; ) {
		const index = Math.floor(at / chunkBytes);
		const start = index * chunkBytes;
		const stop = Math.min(end, start + chunkBytes);
		const data = readChunk(db, chunkAt(chunks, index));
		yield padded(data, at - start, stop - start);
		release(data);
		at = stop;
	}
}

/** Gives memory back at once: V8, which sees little of what lies outside its heap, lets 64 MB of it gather first. */
function release({ buffer }: Uint8Array<ArrayBuffer>): void {
	buffer.transfer(0);
}

/** A part of a chunk with the zeros that are not stored. */
function padded(data: Uint8Array, from: number, to: number): Uint8Array {
	if (to <= data.length) return data.subarray(from, to);
	const bytes = new Uint8Array(to - from);
	bytes.set(data.subarray(from, to));
	return bytes;
}

export function readBytes(db: Database, stored: StoredBytes, range: ByteRange = {}): Uint8Array {
	const { offset = 0, length = Number.POSITIVE_INFINITY } = range;
	const wanted = Math.max(0, Math.min(stored.size - offset, length));
	const pieces = readPieces(db, stored, range);
	const first = pieces.next();
	if (first.done) return new Uint8Array();
	if (first.value.length === wanted) return first.value;
	const bytes = new Uint8Array(wanted);
	bytes.set(first.value);
	let at = first.value.length;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return bytes;
}
