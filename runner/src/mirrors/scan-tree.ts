import { type BigIntStats, chmodSync, constants, lstatSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { MirrorEntry } from "../../../src/shared/runner-mirrors";
import { hashFile } from "./chunks";
import { type Known, parentOf, sameStamp, stampOf, type Tree } from "./tree";

export interface Scan {
	readonly tree: Tree;
	/** What a workspace cannot hold. */
	readonly skipped: { path: string; reason: string }[];
}

export interface ScanLimits {
	readonly maxEntries: number;
	readonly maxBytes: number;
}

/** More files or bytes than a workspace could take. */
export class TreeTooLarge extends Error {
	override readonly name = "TreeTooLarge";
}

const entriesBetweenTurns = 512;

/**
 * Looks at every file of a folder in which nothing runs any more; only what changed since `before` is read.
 * Throws `TreeTooLarge` past a limit.
 */
export async function scanTree(folder: string, before: Tree, { maxEntries, maxBytes }: ScanLimits): Promise<Scan> {
	const tree: Tree = new Map();
	const skipped: Scan["skipped"] = [];
	let bytes = 0;
	const drop = (at: string) => skipped.push({ path: at, reason: "its name is no UTF-8" });
	for (const at of walk(folder, drop)) {
		if (tree.size % entriesBetweenTurns === 0) await setImmediate();
		const stats = lstatSync(path.join(folder, at), { bigint: true });
		const known = await look({ folder, at, stats, known: before.get(at) });
		if ("reason" in known) skipped.push({ path: at, reason: known.reason });
		else if (known.entry?.kind === "file") bytes += known.entry.size;
		tree.set(at, "reason" in known ? { entry: undefined, stamp: stampOf(stats) } : known);
		if (tree.size > maxEntries) throw new TreeTooLarge(`The program left over ${maxEntries} files.`);
		if (bytes > maxBytes) throw new TreeTooLarge(`The program left over ${maxBytes} bytes of files.`);
	}
	return { tree, skipped };
}

/**
 * Everything below `folder`, a directory before what is in it, links not followed. What has a name that is no text is removed, since
 * no path leads to it, and told to `dropped`.
 */
function* walk(folder: string, dropped: (at: string) => void, below = ""): Generator<string> {
	const absolute = path.join(folder, below);
	openUp(absolute);
	for (const item of readdirSync(absolute, { withFileTypes: true, encoding: "buffer" })) {
		const name = item.name.toString();
		const at = below === "" ? name : `${below}/${name}`;
		if (Buffer.from(name).equals(item.name)) {
			yield at;
			if (item.isDirectory()) yield* walk(folder, dropped, at);
		} else {
			rmSync(Buffer.concat([Buffer.from(`${absolute}/`), item.name]), { recursive: true, force: true });
			dropped(at);
		}
	}
}

/** Only root sees into a directory, or reads a file, that forbids it to its owner. */
function openUp(absolute: string): void {
	if (process.getuid?.() === 0) return;
	const stats = lstatSync(absolute);
	const { mode } = stats;
	const due = stats.isDirectory() ? 0o700 : 0o400;
	if ((mode & due) !== due) chmodSync(absolute, (mode & 0o777) | due);
}

interface Look {
	readonly folder: string;
	readonly at: string;
	readonly stats: BigIntStats;
	readonly known: Known | undefined;
}

async function look({ folder, at, stats, known }: Look): Promise<Known | { reason: string }> {
	const stamp = stampOf(stats);
	if (known?.entry && sameKind(known.entry, stats) && sameStamp(known.stamp, stamp)) return { ...known, stamp };
	const mode = Number(stats.mode) & 0o777;
	if (stats.isDirectory()) return { entry: { kind: "directory", path: at, mode }, stamp };
	if (stats.isSymbolicLink()) return lookAtLink(folder, at, stamp);
	if (!stats.isFile()) return { reason: "it is neither a file nor a directory nor a link" };
	const size = Number(stats.size);
	openUp(path.join(folder, at));
	const file = await open(path.join(folder, at), constants.O_RDONLY | constants.O_NOFOLLOW);
	try {
		const chunks = await hashFile(file, size);
		const mtimeMs = Number(stats.mtimeNs) / 1e6;
		return { entry: { kind: "file", path: at, mode, mtimeMs, size, chunks }, stamp };
	} finally {
		await file.close();
	}
}

const sameKind = ({ kind }: MirrorEntry, stats: BigIntStats): boolean =>
	(kind === "file" && stats.isFile()) ||
	(kind === "directory" && stats.isDirectory()) ||
	(kind === "symlink" && stats.isSymbolicLink());

function lookAtLink(folder: string, at: string, stamp: Known["stamp"]): Known | { reason: string } {
	const target = readlinkSync(path.join(folder, at));
	if (!staysInside(at, target)) return { reason: `it is a link to ${target}, which is outside the workspace` };
	return { entry: { kind: "symlink", path: at, mode: 0o777, target }, stamp };
}

/** By its text: a link to `/workspace/…`, or one that never climbs above the top. */
function staysInside(at: string, target: string): boolean {
	const absolute = path.posix.resolve("/workspace", parentOf(at), target);
	const climbs = path.posix.normalize(path.posix.join(parentOf(at), target)).split("/")[0] === "..";
	return (absolute === "/workspace" || absolute.startsWith("/workspace/")) && (target.startsWith("/") || !climbs);
}
