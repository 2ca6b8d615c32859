import type { FileStat, FileSystem } from "../file-system";
import { FsError } from "../fs-error";

/** What a path leads to, or undefined when there is nothing; any other trouble with it is thrown. */
export function lookAt(files: Pick<FileSystem, "stat">, path: string): FileStat | undefined {
	return orMissing(() => files.stat(path));
}

/** The same of a symlink itself. */
export function lookAtLink(files: Pick<FileSystem, "lstat">, path: string): FileStat | undefined {
	return orMissing(() => files.lstat(path));
}

function orMissing(look: () => FileStat): FileStat | undefined {
	try {
		return look();
	} catch (error) {
		if (error instanceof FsError && error.code === "ENOENT") return undefined;
		throw error;
	}
}
