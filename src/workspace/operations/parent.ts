import type { FileSystem } from "../file-system";
import { parentOf } from "../paths";

/** Makes the directories that a path needs above it. */
export function makeParents(files: Pick<FileSystem, "makeDirectory">, path: string): void {
	files.makeDirectory(parentOf(path), { parents: true });
}
