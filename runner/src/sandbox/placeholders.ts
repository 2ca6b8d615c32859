import { chownSync, lstatSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Place } from "./backend";

/** Makes the folders that protected paths lack to lie in. */
export function makeFolders({ folder, uid }: Place, missing: readonly string[]): void {
	for (const relative of new Set([...missing].sort())) {
		const made = path.join(folder, relative);
		mkdirSync(made);
		if (uid !== undefined) chownSync(made, uid, uid);
	}
}

/**
 * Takes away what is left where a missing path was kept from being made: the empty file that bubblewrap mounts on, and the folders
 * around it. Each list goes from the path upwards.
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
