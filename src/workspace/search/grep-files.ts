import type { FileSystem, ReadableFile } from "../file-system";
import { FsError } from "../fs-error";
import { FileRefused } from "../guarded";
import { nameBelow } from "../paths";
import { Findings, type GrepOutcome } from "./findings";
import { parseGlob } from "./glob-to-pattern";
import { grepFile } from "./grep-file";
import { compileLinePattern, type PatternOptions } from "./line-pattern";
import { visibleFiles } from "./visible-files";

export interface GrepOptions extends PatternOptions {
	/** An absolute path of a file or a directory. */
	readonly path: string;
	/** A glob of the files to search below a directory: of their names, or with a slash in it of their paths below `path`. */
	readonly include?: string;
	/** True without it: what `.gitignore` names and every `.git` is left out, unless `path` is in there. */
	readonly respectIgnore?: boolean;
	/** Matching lines shown; 200 without it. */
	readonly limit?: number;
	/** Lines shown before and after each match, 0 to 5; 0 without it. */
	readonly contextLines?: number;
}

/** One chunk of the file system. */
const maxWholeBytes = 524_288;

/** Steps (see stepCounter) that it takes to come to the next entry of a folder. */
const stepsOfEntry = 1_000;

/**
 * Lines that match a pattern, file by file in the order of a walk; symlinks are passed over. Goes in slices of some 50 ms, between
 * which others may change the files: each file is searched as it is when its turn comes, and names that come or go meanwhile may
 * be seen or not. Throws PatternRefused, FsError, FileRefused.
 */
export function* grepFiles(files: FileSystem, options: GrepOptions): Generator<void, GrepOutcome, void> {
	const { limit = 200, contextLines = 0 } = options;
	const pattern = compileLinePattern(options);
	const found = new Findings(limit);
	for (const file of searchedFiles(files, options)) {
		found.steps += stepsOfEntry;
		const pieces = file && piecesOf(files, file);
		if (pieces) yield* grepFile(pieces, { path: file.path, pattern, contextLines, found });
		else if (found.endsSlice()) yield;
		if (found.stopped) break;
	}
	return found.outcome();
}

/** Undefined stands for each entry that is not searched. */
function* searchedFiles(files: FileSystem, options: GrepOptions): Generator<ReadableFile | undefined, void, void> {
	const { path, include, respectIgnore = true } = options;
	const stat = files.stat(path);
	if (stat.kind === "file") {
		yield { path, stat, read: () => files.read(path) };
		return;
	}
	const isIncluded = include === undefined ? () => true : includer(include, path);
	for (const found of visibleFiles(files, { path, respectIgnore })) {
		yield found?.stat.kind === "file" && isIncluded(found.path) ? found : undefined;
	}
}

/** Undefined for a file that is no longer there: others had their turn. */
function piecesOf(files: FileSystem, { path, stat, read }: ReadableFile): Iterable<Uint8Array> | undefined {
	try {
		return stat.size <= maxWholeBytes ? [read()] : files.readPieces(path);
	} catch (error) {
		if (error instanceof FsError || error instanceof FileRefused) return undefined;
		throw error;
	}
}

function includer(include: string, start: string): (path: string) => boolean {
	const glob = parseGlob(include.includes("/") ? include.replace(/^(\.?\/)+/, "") : `**/${include}`);
	const folder = glob.folder === "" ? "" : `${glob.folder}/`;
	return (path) => {
		const name = nameBelow(start, path);
		return name.startsWith(folder) && glob.matches(name.slice(folder.length));
	};
}
