import { createHash } from "node:crypto";
import { chunkBytes } from "../shared/runner-mirrors";
import type { Database } from "./database";

export { chunkBytes };

const hashBytes = 32;
/** Stands for a chunk of nothing but zeros, which is not stored. */
const hole = new Uint8Array(hashBytes);
/** Who holds, in table `held`, what readers have pinned; writers have numbers from 1. */
const readers = 0;

/** What a database's readers and writers hold in memory; it ends with the process. */
interface Holders {
	readonly pins: Map<string, number>;
	lastOwner: number;
}
const holders = new WeakMap<Database, Holders>();

function holdersOf(db: Database): Holders {
	let known = holders.get(db);
	if (!known) {
		known = { pins: new Map(), lastOwner: readers };
		holders.set(db, known);
	}
	return known;
}

/** Hashes of a file's chunks, one after the other. */
export type ChunkList = Uint8Array;
export const chunkCount = (list: ChunkList): number => list.length / hashBytes;
export const chunkAt = (list: ChunkList, index: number): Uint8Array =>
	list.subarray(index * hashBytes, (index + 1) * hashBytes);

/** A list of `count` chunks that begins as the old one does; what is new are holes. */
export function resizeList(list: ChunkList, count: number): ChunkList {
	const resized = new Uint8Array(count * hashBytes);
	resized.set(list.subarray(0, resized.length));
	return resized;
}

export function setChunk(list: ChunkList, index: number, hash: Uint8Array): void {
	list.set(hash, index * hashBytes);
}

export const isHole = (hash: Uint8Array): boolean => hash.every((byte) => byte === 0);

/** Zeros at the end say nothing: how long a chunk is follows from the size of its file. */
function withoutEndZeros(bytes: Uint8Array): Uint8Array {
	let end = bytes.length;
	while (end > 0 && bytes[end - 1] === 0) end--;
	return bytes.subarray(0, end);
}

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash("sha256").update(bytes).digest());

/** The hash that a chunk has, stored or not. */
export function hashOf(bytes: Uint8Array): Uint8Array {
	const data = withoutEndZeros(bytes);
	return data.length === 0 ? hole : sha256(data);
}

/** Stores a chunk, or finds it stored, with one use more. Answers its hash. */
export function putChunk(db: Database, bytes: Uint8Array): Uint8Array {
	const data = withoutEndZeros(bytes);
	if (data.length === 0) return hole;
	const hash = sha256(data);
	const insert = "INSERT INTO chunks (hash, data) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1 AS made";
	if (db.exec(insert, hash, data).toArray().length === 0) keepChunk(db, hash);
	return hash;
}

/** One use more of a stored chunk. */
export function keepChunk(db: Database, hash: Uint8Array): void {
	if (isHole(hash)) return;
	db.exec("INSERT INTO shares (hash, extra) VALUES (?, 1) ON CONFLICT DO UPDATE SET extra = extra + 1", hash);
}

/** One use less; the last one takes the chunk away, unless someone is reading it. */
export function releaseChunk(db: Database, hash: Uint8Array): void {
	if (isHole(hash)) return;
	const [shared] = db
		.exec<{ extra: number }>("UPDATE shares SET extra = extra - 1 WHERE hash = ? RETURNING extra", hash)
		.toArray();
	if (shared?.extra === 0) db.exec("DELETE FROM shares WHERE hash = ?", hash);
	if (shared) return;
	if (holdersOf(db).pins.has(keyOf(hash))) holdChunk(db, readers, hash);
	else db.exec("DELETE FROM chunks WHERE hash = ?", hash);
}

/** The bytes of a chunk without the zeros at its end. */
export function readChunk(db: Database, hash: Uint8Array): Uint8Array<ArrayBuffer> {
	const data = findChunk(db, hash);
	if (!data) throw new Error("A chunk of a file is missing.");
	return data;
}

/** The same, or undefined where no file has it. */
export function findChunk(db: Database, hash: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
	if (isHole(hash)) return new Uint8Array();
	const [row] = db.exec<{ data: ArrayBuffer }>("SELECT data FROM chunks WHERE hash = ?", hash).toArray();
	return row && new Uint8Array(row.data);
}

/** Gives a use that was just made to something in memory, which may never come to release it. */
export function holdChunk(db: Database, owner: number, hash: Uint8Array): void {
	db.exec("INSERT INTO held (owner, hash) VALUES (?, ?)", owner, hash);
}

export const newOwner = (db: Database): number => ++holdersOf(db).lastOwner;

/** The chunks that a writer holds, in the order it wrote them. */
export function heldBy(db: Database, owner: number): Uint8Array[] {
	const rows = db.exec<{ hash: ArrayBuffer }>("SELECT hash FROM held WHERE owner = ? ORDER BY rowid", owner);
	return rows.toArray().map(({ hash }) => new Uint8Array(hash));
}

/** Ends the holding of chunks whose uses have gone to a file. */
export function forgetHeld(db: Database, owner: number): void {
	db.exec("DELETE FROM held WHERE owner = ?", owner);
}

export function releaseHeld(db: Database, owner: number): void {
	const hashes = heldBy(db, owner);
	if (hashes.length === 0) return;
	db.transaction(() => {
		forgetHeld(db, owner);
		for (const hash of hashes) releaseChunk(db, hash);
	});
}

/** Releases what a process that has ended still held. */
export function sweepHeld(db: Database): void {
	const owners = db.exec<{ owner: number }>("SELECT DISTINCT owner FROM held").toArray();
	for (const { owner } of owners) releaseHeld(db, owner);
}

/** Keeps chunks readable for someone who reads on while the file changes. Call what it returns at the end. */
export function pinChunks(db: Database, list: ChunkList): () => void {
	const { pins } = holdersOf(db);
	const keys = Array.from({ length: chunkCount(list) }, (_, index) => keyOf(chunkAt(list, index)));
	for (const key of keys) pins.set(key, (pins.get(key) ?? 0) + 1);
	return () => {
		for (const key of keys) {
			const left = (pins.get(key) ?? 0) - 1;
			if (left > 0) pins.set(key, left);
			else pins.delete(key);
		}
		releaseUnpinned(db, pins);
	};
}

function releaseUnpinned(db: Database, pins: ReadonlyMap<string, number>): void {
	const free = heldBy(db, readers).filter((hash) => !pins.has(keyOf(hash)));
	if (free.length === 0) return;
	db.transaction(() => {
		for (const hash of free) {
			db.exec("DELETE FROM held WHERE owner = ? AND hash = ?", readers, hash);
			releaseChunk(db, hash);
		}
	});
}

const keyOf = (hash: Uint8Array): string => String.fromCharCode(...hash);
