import type { FileKind, FileSystem, WalkedFile } from "../file-system";
import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { nameBelow } from "../paths";

export interface List {
	readonly path: string;
	/** 1 lists the directory alone. */
	readonly maxDepth: number;
	readonly limit: number;
}

export interface ListedFile {
	/** Below the listed directory. */
	readonly name: string;
	readonly kind: FileKind;
	readonly size: number;
	readonly mtimeMs: number;
	/** Where a symlink points. */
	readonly target?: string;
}

export interface Listing {
	readonly path: string;
	readonly entries: readonly ListedFile[];
	/** Entries left out; there may be more of them than `maxMore`. */
	readonly more: number;
	/** Directories among the entries that were as deep as was asked, and so not looked into. */
	readonly unopened: number;
}

/** Entries counted beyond the limit; more than that tells nobody anything. */
export const maxMore = 1_000;

/** Lists a directory in byte order of the names, each directory before what is in it. */
export const list: Operation<List, Listing> = {
	writes: false,
	run(files, { path: asked, maxDepth, limit }, rules) {
		const path = resolveAsked(asked, rules);
		if (files.stat(path).kind !== "directory") throw new FsError("ENOTDIR", path);
		const entries: ListedFile[] = [];
		let more = 0;
		let unopened = 0;
		const enter = (directory: string): boolean => {
			if (depthBelow(path, directory) < maxDepth) return true;
			if (more === 0) unopened++;
			return false;
		};
		for (const walked of files.walk(path, enter)) {
			if (entries.length < limit) entries.push(entryOf(files, path, walked));
			else if (++more === maxMore) break;
		}
		return { path, entries, more, unopened };
	},
};

const depthBelow = (top: string, path: string) => (path === top ? 0 : nameBelow(top, path).split("/").length);

function entryOf(files: FileSystem, top: string, { path, stat }: WalkedFile): ListedFile {
	const { kind, size, mtimeMs } = stat;
	const target = kind === "symlink" ? { target: files.readLink(path) } : {};
	return { name: nameBelow(top, path), kind, size, mtimeMs, ...target };
}
