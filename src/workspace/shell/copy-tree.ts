import type { FileSystem } from "../file-system";
import { FsError } from "../fs-error";

/** Copies a file or a whole directory, all of it or nothing; links inside stay links. */
export function copyTree(files: FileSystem, from: string, to: string): void {
	files.atomically(() => {
		const { kind, mode } = files.stat(from);
		if (kind !== "directory") {
			files.copyFile(from, to);
			return;
		}
		if (`${to}/`.startsWith(`${from}/`)) throw new FsError("EINVAL", to, "cannot copy a directory into itself");
		if (!isDirectory(files, to)) files.makeDirectory(to, { mode });
		for (const { name, kind } of files.readDirectory(from)) {
			const [source, target] = [`${from}/${name}`, `${to}/${name}`];
			if (kind === "symlink") files.symlink(files.readLink(source), target);
			else copyTree(files, source, target);
		}
	});
}

/** Renames at once where the tree allows it, and copies and removes in one transaction where it does not. */
export function moveTree(files: FileSystem, from: string, to: string): void {
	try {
		files.rename(from, to);
	} catch (error) {
		if (!(error instanceof FsError) || error.code !== "EXDEV") throw error;
		files.atomically(() => {
			copyTree(files, from, to);
			files.removeTree(from);
		});
	}
}

function isDirectory(files: FileSystem, path: string): boolean {
	try {
		return files.stat(path).kind === "directory";
	} catch (error) {
		if (error instanceof FsError && error.code === "ENOENT") return false;
		throw error;
	}
}
