import type { FileSystem } from "../file-system";

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** Makes the directories that a path needs above it. */
export function makeParents(files: Pick<FileSystem, "makeDirectory">, path: string): void {
	files.makeDirectory(parentOf(path), { parents: true });
}
