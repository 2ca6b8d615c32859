import { lstatSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * Takes away what bubblewrap leaves where it kept a missing path from being made: an empty file, and the folders that it made for it.
 * Each list goes from the path upwards.
 */
export function removePlaceholders(folder: string, missing: readonly (readonly string[])[]): void {
	for (const [file = "", ...folders] of missing) {
		const at = path.join(folder, file);
		const stat = lstatSync(at, { throwIfNoEntry: false });
		if (stat && (!stat.isFile() || stat.size > 0)) continue;
		rmSync(at, { force: true });
		for (const made of folders) removeIfEmpty(path.join(folder, made));
	}
}

function removeIfEmpty(folder: string): void {
	try {
		rmdirSync(folder);
	} catch {
		// Gone already, or something else is in it.
	}
}
