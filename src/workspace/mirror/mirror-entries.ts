import { toHex } from "../../lib/hash";
import type { MirrorEntry } from "../../shared/runner-mirrors";
import { chunkAt, chunkCount } from "../chunks";
import type { ChunkedFile, FileSystem } from "../file-system";
import { nameBelow } from "../paths";

/** Where a program finds the files, here and on the runner. */
export const mirroredRoot = "/workspace";

/** The files as a program is to find them: all that the rules of the call show of `/workspace`. */
export const mirrorEntries = (files: FileSystem): MirrorEntry[] => Array.from(files.walkChunks(mirroredRoot), entryOf);

function entryOf({ path: place, stat, chunks, target }: ChunkedFile): MirrorEntry {
	const { kind, mode, mtimeMs, size } = stat;
	const path = nameBelow(mirroredRoot, place);
	if (kind === "directory") return { kind, path, mode };
	if (kind === "symlink") return { kind, path, mode, target: target ?? "" };
	return { kind, path, mode, mtimeMs, size, chunks: hexChunks(chunks) };
}

const hexChunks = (list: Uint8Array): string[] =>
	Array.from({ length: chunkCount(list) }, (_, index) => toHex(chunkAt(list, index)));
