import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, readdirSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { readLengthPrefixed } from "../../../src/lib/length-prefixed";
import { chunkBytes, type MirrorChanges, type MirrorEntry } from "../../../src/shared/runner-mirrors";
import { refuse } from "../refusal";
import { type ChunkPlace, findChunks, hashOf, readChunk } from "./chunks";
import { layTree, planTree } from "./lay-tree";
import { removeAll } from "./remove-all";
import { type ScanLimits, scanTree } from "./scan-tree";
import type { Tree } from "./tree";

export interface MirrorOptions {
	/** Everything of the mirror is below this folder, which is its own. */
	readonly folder: string;
	/** Owner of the files; undefined where the runner cannot give them away. */
	readonly uid: number | undefined;
	readonly limits: ScanLimits;
}

/** The runner's copy of the files of one workspace. Only one caller uses it at a time. */
export class Mirror {
	readonly uid: number | undefined;
	readonly #folder: string;
	readonly #limits: ScanLimits;
	#tree: Tree = new Map();
	/** Never the same in two mirrors or two lives of the runner. */
	#revision: string = randomUUID();

	constructor({ folder, uid, limits }: MirrorOptions) {
		this.uid = uid;
		this.#folder = folder;
		this.#limits = limits;
		mkdirSync(folder, { recursive: true });
		// Its owner passes through here to what is its own.
		chmodSync(folder, 0o711);
		for (const part of ["files", "sent", "staging", "tmp"]) this.#empty(part);
	}

	get files(): string {
		return path.join(this.#folder, "files");
	}

	/** The program's own TMPDIR; emptied before each. */
	get temporary(): string {
		return path.join(this.#folder, "tmp");
	}

	/** Keeps chunks until the files that they belong to are laid. Throws a Refusal for a stream that is none of chunks. */
	async keep(chunks: AsyncIterable<Uint8Array>): Promise<void> {
		for await (const bytes of readLengthPrefixed(chunks, { maxBytes: chunkBytes })) {
			const place = path.join(this.#folder, "sent", hashOf(bytes));
			await writeFile(`${place}.part`, bytes);
			await rename(`${place}.part`, place);
		}
	}

	/** Makes the files those of `entries`. Answers the chunks that it lacks for that; while it lacks one, nothing is changed. */
	async lay(entries: readonly MirrorEntry[]): Promise<string[]> {
		const plan = planTree(this.#tree, entries);
		const missing = this.#missing(plan.chunks);
		if (missing.length > 0) return missing;
		this.#empty("staging");
		this.#empty("tmp");
		try {
			await layTree(this.#tree, plan, {
				folder: this.files,
				staging: path.join(this.#folder, "staging"),
				sent: (hash) => readFile(path.join(this.#folder, "sent", hash)),
				uid: this.uid,
			});
		} catch (error) {
			this.forget();
			throw error;
		}
		this.#empty("sent");
		this.#revision = randomUUID();
		return [];
	}

	#missing(chunks: ReadonlySet<string>): string[] {
		if (chunks.size === 0) return [];
		const there = findChunks(this.#tree, chunks);
		const sent = new Set(readdirSync(path.join(this.#folder, "sent")));
		return [...chunks].filter((hash) => !there.has(hash) && !sent.has(hash));
	}

	/** What a program changed since the files were laid. Throws `TreeTooLarge`, and forgets all, when it left too much. */
	async changes(): Promise<MirrorChanges> {
		const before = this.#tree;
		try {
			const { tree, skipped } = await scanTree(this.files, before, this.#limits);
			this.#tree = tree;
			const changed = [...tree.values()]
				.flatMap(({ entry }) => (entry && entry !== before.get(entry.path)?.entry ? [entry] : []))
				.filter((entry) => !isEqual(entry, before.get(entry.path)?.entry));
			const removed = topmost([...before.keys()].filter((at) => !tree.get(at)?.entry && before.get(at)?.entry));
			return { revision: this.#revision, removed, changed, skipped };
		} catch (error) {
			this.forget();
			throw error;
		}
	}

	/** Chunks that are in the files now. Throws a Refusal when the files are no longer those of `revision`. */
	read(revision: string, hashes: readonly string[]): AsyncGenerator<Uint8Array> {
		const places = findChunks(this.#tree, new Set(hashes));
		if (revision !== this.#revision || places.size !== new Set(hashes).size) throw changedMeanwhile();
		return chunksAt(this.files, hashes, places);
	}

	/** Drops the files, so that the next call lays them all anew. */
	forget(): void {
		this.#tree = new Map();
		this.#revision = randomUUID();
		for (const part of ["files", "sent", "staging", "tmp"]) this.#empty(part);
	}

	/** Takes everything off the disk. */
	remove(): void {
		removeAll(this.#folder);
	}

	#empty(part: string): void {
		const folder = path.join(this.#folder, part);
		removeAll(folder);
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		if (this.uid !== undefined && (part === "files" || part === "tmp")) chownSync(folder, this.uid, this.uid);
	}
}

async function* chunksAt(
	folder: string,
	hashes: readonly string[],
	places: ReadonlyMap<string, ChunkPlace>,
): AsyncGenerator<Uint8Array> {
	for (const hash of hashes) {
		const place = places.get(hash);
		const bytes = place && (await readChunk(folder, place));
		if (!bytes || hashOf(bytes) !== hash) throw changedMeanwhile();
		yield bytes;
	}
}

const changedMeanwhile = () =>
	refuse("conflict", "The runner no longer has these files as they were; run the program again.");

const isEqual = (a: MirrorEntry, b: MirrorEntry | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Without what is below another of them. */
function topmost(paths: readonly string[]): string[] {
	const kept: string[] = [];
	for (const at of paths.toSorted()) {
		if (!kept.some((above) => at.startsWith(`${above}/`))) kept.push(at);
	}
	return kept;
}
