import { randomUUID } from "node:crypto";
import { type BigIntStats, chmodSync, constants, lstatSync, readdirSync, readlinkSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { MirrorEntry } from "../../../src/shared/runner-mirrors";
import { hashFile } from "./chunks";
import { openMode } from "./closed-places";
import { removeAll } from "./remove-all";
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
/** The kernel takes 4,095, and a name has at most 255 of them. */
const maxPathBytes = 3_800;

/**
 * Looks at every file of a folder in which nothing runs any more; only what changed since `before` is read.
 * Throws `TreeTooLarge` past a limit.
 */
export async function scanTree(folder: string, before: Tree, { maxEntries, maxBytes }: ScanLimits): Promise<Scan> {
	const tree: Tree = new Map();
	const skipped: Scan["skipped"] = [];
	let bytes = 0;
	chmodSync(folder, 0o700);
	const drop = (at: string, reason: string) => skipped.push({ path: at, reason });
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
 * Everything below `folder`, a directory before what is in it, links not followed. What no path leads to, because its name is no
 * text or the path would be too long, is removed and told to `dropped`.
 */
function* walk(folder: string, dropped: (at: string, reason: string) => void, below = ""): Generator<string> {
	const absolute = path.join(folder, below);
	for (const item of readdirSync(absolute, { withFileTypes: true, encoding: "buffer" })) {
		const name = item.name.toString();
		const at = below === "" ? name : `${below}/${name}`;
		if (!Buffer.from(name).equals(item.name)) {
			const aside = path.join(absolute, randomUUID());
			renameSync(Buffer.concat([Buffer.from(`${absolute}/`), item.name]), aside);
			removeAll(aside);
			dropped(at, "its name is no UTF-8");
		} else if (Buffer.byteLength(absolute) + item.name.length > maxPathBytes) {
			removeAll(path.join(folder, at));
			dropped(at, "its path is too long");
		} else {
			yield at;
			if (item.isDirectory()) yield* walk(folder, dropped, at);
		}
	}
}

interface Look {
	readonly folder: string;
	readonly at: string;
	readonly stats: BigIntStats;
	readonly known: Known | undefined;
}

async function look({ folder, at, stats, known }: Look): Promise<Known | { reason: string }> {
	const isKnown = known?.entry && sameKind(known.entry, stats) && sameStamp(known.stamp, stampOf(stats));
	const stamp = openUp(path.join(folder, at), stats);
	if (isKnown) return { ...known, stamp };
	const mode = Number(stats.mode) & 0o777;
	if (stats.isDirectory()) return { entry: { kind: "directory", path: at, mode }, stamp };
	if (stats.isSymbolicLink()) return lookAtLink(folder, at, stamp);
	if (!stats.isFile()) return { reason: "it is neither a file nor a directory nor a link" };
	const size = Number(stats.size);
	const file = await open(path.join(folder, at), constants.O_RDONLY | constants.O_NOFOLLOW);
	try {
		const chunks = await hashFile(file, size);
		const mtimeMs = Number(stats.mtimeNs) / 1e6;
		return { entry: { kind: "file", path: at, mode, mtimeMs, size, chunks }, stamp };
	} finally {
		await file.close();
	}
}

/** Answers the stamp with which something is open to the runner; it stays so until its mode is laid again. */
function openUp(absolute: string, stats: BigIntStats): Known["stamp"] {
	if (!stats.isDirectory() && !stats.isFile()) return stampOf(stats);
	const mode = Number(stats.mode) & 0o777;
	const open = openMode({ kind: stats.isFile() ? "file" : "directory", mode });
	if (open === mode) return stampOf(stats);
	chmodSync(absolute, open);
	return stampOf(lstatSync(absolute, { bigint: true }));
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
