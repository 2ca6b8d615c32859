import { chmodSync, lchownSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { chunkBytes, holeHash, type MirrorEntry } from "../../../src/shared/runner-mirrors";
import { findChunks, readChunk } from "./chunks";
import { closeAll, openAll, openMode } from "./closed-places";
import { removeAll } from "./remove-all";
import { stampOf, type Tree } from "./tree";

type FileEntry = Extract<MirrorEntry, { kind: "file" }>;

/** What must be done to make a tree on disk the one that is wanted. */
export interface Plan {
	/** Paths to remove, with all that is in them. */
	readonly remove: readonly string[];
	/** In an order in which a directory stands before what is in it. */
	readonly make: readonly MirrorEntry[];
	/** Chunks of files that are to be made. */
	readonly chunks: ReadonlySet<string>;
}

export function planTree(tree: Tree, wanted: readonly MirrorEntry[]): Plan {
	const names = new Map(wanted.map((entry) => [entry.path, entry]));
	const remove = [...tree]
		.filter(([at, { entry }]) => entry === undefined || entry.kind !== names.get(at)?.kind)
		.map(([at]) => at);
	const make = wanted.filter((entry) => !isThere(tree.get(entry.path)?.entry, entry));
	const chunks = new Set(make.flatMap((entry) => (entry.kind === "file" ? entry.chunks : [])));
	chunks.delete(holeHash);
	return { remove, make, chunks };
}

function isThere(known: MirrorEntry | undefined, wanted: MirrorEntry): boolean {
	if (known?.kind !== wanted.kind || known.mode !== wanted.mode) return false;
	if (known.kind === "symlink") return known.target === (wanted as typeof known).target;
	if (known.kind === "directory") return true;
	const file = wanted as FileEntry;
	return known.size === file.size && known.mtimeMs === file.mtimeMs && sameChunks(known.chunks, file.chunks);
}

const sameChunks = (a: readonly string[], b: readonly string[]): boolean =>
	a.length === b.length && a.every((hash, index) => hash === b[index]);

export interface LayOptions {
	/** The files of the mirror. */
	readonly folder: string;
	/** An empty folder on the same disk. */
	readonly staging: string;
	/** Content of a chunk that is not in `tree`. */
	sent(hash: string): Promise<Uint8Array>;
	/** Who is to own what is made; undefined leaves it to the runner's own user. */
	readonly uid: number | undefined;
}

const entriesBetweenTurns = 256;

/**
 * Makes the files of a plan. New content is put together aside first, so that what is about to be removed can still be read.
 * After an error the folder is neither the old tree nor the new one.
 */
export async function layTree(tree: Tree, { remove, make, chunks }: Plan, options: LayOptions): Promise<void> {
	openAll(options.folder, tree);
	const staged = await stage(tree, make, chunks, options);
	const absolute = (at: string) => path.join(options.folder, at);
	for (const at of remove) {
		removeAll(absolute(at));
		tree.delete(at);
	}
	let made = 0;
	for (const entry of make) {
		if (++made % entriesBetweenTurns === 0) await setImmediate();
		place(absolute(entry.path), entry, staged.get(entry.path));
	}
	// A directory may forbid what is still to be made in it, so modes come when all is there.
	for (const entry of make) {
		finishEntry(absolute(entry.path), entry, options.uid);
		tree.set(entry.path, { entry, stamp: stampOf(lstatSync(absolute(entry.path), { bigint: true })) });
	}
	closeAll(options.folder, tree);
}

async function stage(tree: Tree, make: readonly MirrorEntry[], chunks: ReadonlySet<string>, options: LayOptions) {
	const known = findChunks(tree, chunks);
	const staged = new Map<string, string>();
	for (const entry of make) {
		if (entry.kind !== "file") continue;
		const draft = path.join(options.staging, String(staged.size));
		const file = await open(draft, "wx", 0o600);
		try {
			for (const [index, hash] of entry.chunks.entries()) {
				if (hash === holeHash) continue;
				const there = known.get(hash);
				const bytes = there ? await readChunk(options.folder, there) : await options.sent(hash);
				await file.write(bytes, 0, bytes.length, index * chunkBytes);
			}
			await file.truncate(entry.size);
		} finally {
			await file.close();
		}
		staged.set(entry.path, draft);
	}
	return staged;
}

function place(absolute: string, entry: MirrorEntry, draft: string | undefined): void {
	if (entry.kind === "file" && draft !== undefined) renameSync(draft, absolute);
	else if (entry.kind === "symlink") {
		rmSync(absolute, { force: true });
		symlinkSync(entry.target, absolute);
	} else mkdirSync(absolute, { recursive: true });
}

function finishEntry(absolute: string, entry: MirrorEntry, uid: number | undefined): void {
	if (uid !== undefined) lchownSync(absolute, uid, uid);
	if (entry.kind === "symlink") return;
	chmodSync(absolute, openMode(entry));
	if (entry.kind === "file") utimesSync(absolute, entry.mtimeMs / 1_000, entry.mtimeMs / 1_000);
}
