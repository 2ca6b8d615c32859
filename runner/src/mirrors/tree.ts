import type { BigIntStats } from "node:fs";
import type { MirrorEntry } from "../../../src/shared/runner-mirrors";

/** What tells whether a file on disk is still the one that was looked at: all of it changes with the file. */
export interface Stamp {
	readonly inode: bigint;
	readonly size: bigint;
	readonly mtimeNs: bigint;
	readonly ctimeNs: bigint;
}

export const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp => ({
	inode: ino,
	size,
	mtimeNs,
	ctimeNs,
});

export const sameStamp = (a: Stamp, b: Stamp): boolean =>
	a.inode === b.inode && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/** One path of a mirror on disk. */
export interface Known {
	/** Undefined for what a workspace cannot hold. */
	readonly entry: MirrorEntry | undefined;
	readonly stamp: Stamp;
}

/** A mirror's files as they are on disk, by path; a directory stands before what is in it. */
export type Tree = Map<string, Known>;

export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
