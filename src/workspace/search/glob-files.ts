import { resolvePath } from "../../gates/path";
import type { FileSystem } from "../file-system";
import { FsError } from "../fs-error";
import { FileRefused } from "../guarded";
import { nameBelow } from "../paths";
import { type PathGlob, parseGlob } from "./glob-to-pattern";
import { visibleFiles } from "./visible-files";

export interface GlobOptions {
	/** Of whole paths below `path`, or of absolute ones when it begins with a slash. */
	readonly pattern: string;
	/** An absolute path of a directory. */
	readonly path: string;
	/** 200 without it. */
	readonly limit?: number;
	/** True without it: what `.gitignore` names and every `.git` is left out, unless `path` or the pattern's beginning is in there. */
	readonly respectIgnore?: boolean;
}

export interface GlobOutcome {
	/** Absolute, in the order of a walk: names in byte order, a folder's content in the place of its name. */
	readonly paths: readonly string[];
	/** Paths that fit and are not among `paths`. */
	readonly more: number;
	/** Nobody counted on: there may be more than `more`. */
	readonly stopped: boolean;
}

/** Paths counted beyond the limit; more than that tells nobody anything. */
const maxMore = 1_000;

/** Entries after which others get their turn: some 50 ms. */
const entriesOfSlice = 5_000;

/**
 * Files and symlinks whose paths fit a glob; directories are not listed and symlinks not followed. Goes in slices, between which
 * others may change the files: names that come or go meanwhile may be seen or not. Throws PatternRefused, FsError, FileRefused.
 */
export function* globFiles(files: FileSystem, options: GlobOptions): Generator<void, GlobOutcome, void> {
	const { pattern, path, limit = 200, respectIgnore = true } = options;
	const glob = parseGlob(pattern);
	if (files.stat(path).kind !== "directory") throw new FsError("ENOTDIR", path);
	const paths: string[] = [];
	let more = 0;
	let entries = 0;
	for (const found of fitting(files, { glob, start: startOf(glob, path), respectIgnore })) {
		if (++entries % entriesOfSlice === 0) yield;
		if (found === undefined) continue;
		if (paths.length < limit) paths.push(found);
		else if (++more === maxMore) return { paths, more, stopped: true };
	}
	return { paths, more, stopped: false };
}

function startOf({ folder }: PathGlob, path: string): string {
	if (folder === "") return path;
	const resolved = resolvePath(folder, path);
	if (!resolved.ok) throw new FileRefused(resolved);
	return resolved.path;
}

/** Undefined stands for each entry that does not fit. */
function* fitting(
	files: FileSystem,
	{ glob, start, respectIgnore }: { glob: PathGlob; start: string; respectIgnore: boolean },
): Generator<string | undefined, void, void> {
	if (!isDirectory(files, start)) return;
	const depthOf = (path: string) => nameBelow(start, path).split("/").length;
	const enter = (folder: string) => depthOf(folder) < glob.depth;
	for (const found of visibleFiles(files, { path: start, respectIgnore, enter })) {
		yield found && glob.matches(nameBelow(start, found.path)) ? found.path : undefined;
	}
}

function isDirectory(files: FileSystem, path: string): boolean {
	try {
		return files.stat(path).kind === "directory";
	} catch (error) {
		if (error instanceof FsError) return false;
		throw error;
	}
}
