import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { chunkBytes, holeHash } from "../../../src/shared/runner-mirrors";
import type { Tree } from "./tree";

/** Zeros at the end of a chunk say nothing: how long it is follows from the size of its file. */
function withoutEndZeros(bytes: Uint8Array): Uint8Array {
	let end = bytes.length;
	while (end > 0 && bytes[end - 1] === 0) end--;
	return bytes.subarray(0, end);
}

export function hashOf(bytes: Uint8Array): string {
	const data = withoutEndZeros(bytes);
	return data.length === 0 ? holeHash : createHash("sha256").update(data).digest("hex");
}

/** Hashes of a file's chunks. Throws when the file is no longer `size` bytes long. */
export async function hashFile(file: FileHandle, size: number): Promise<string[]> {
	const buffer = new Uint8Array(Math.min(size, chunkBytes));
	const hashes: string[] = [];
	for (let at = 0; at < size; at += chunkBytes) {
		const due = Math.min(chunkBytes, size - at);
		if ((await readFully(file, buffer.subarray(0, due), at)) !== due) throw new Error("A file became shorter.");
		hashes.push(hashOf(buffer.subarray(0, due)));
	}
	return hashes;
}

async function readFully(file: FileHandle, buffer: Uint8Array, position: number): Promise<number> {
	let filled = 0;
	while (filled < buffer.length) {
		const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return filled;
}

/** The `index`th chunk of the file at `path`. */
export interface ChunkPlace {
	readonly path: string;
	readonly index: number;
}

/** Where in a mirror's files the chunks with these hashes are; what is nowhere is left out. */
export function findChunks(tree: Tree, wanted: ReadonlySet<string>): Map<string, ChunkPlace> {
	const found = new Map<string, ChunkPlace>();
	for (const [at, { entry }] of tree) {
		if (entry?.kind !== "file") continue;
		for (const [index, hash] of entry.chunks.entries()) {
			if (wanted.has(hash) && !found.has(hash)) found.set(hash, { path: at, index });
		}
	}
	return found;
}

/** A chunk of one of the mirror's files, without zeros at its end. */
export async function readChunk(folder: string, place: ChunkPlace): Promise<Uint8Array> {
	const file = await open(path.join(folder, place.path), "r");
	try {
		const buffer = new Uint8Array(chunkBytes);
		const filled = await readFully(file, buffer, place.index * chunkBytes);
		return withoutEndZeros(buffer.subarray(0, filled));
	} finally {
		await file.close();
	}
}
