import { type Conditions, checkConditions } from "../conditions";
import type { FileKind } from "../file-system";
import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";

export interface Remove {
	readonly path: string;
	/** Which directories may go: none, an empty one, or any with everything in it. */
	readonly directories: "none" | "empty" | "any";
	readonly conditions?: Conditions;
}

export interface Removed {
	readonly path: string;
	readonly kind: FileKind;
}

/** Deletes a file or a symlink itself; a directory only as far as it is asked for. */
export const remove: Operation<Remove, Removed> = {
	writes: true,
	run(files, { path: asked, directories, conditions = {} }, rules) {
		const path = resolveAsked(asked, rules);
		const { kind } = files.lstat(path);
		checkConditions(files, path, conditions);
		if (kind !== "directory") {
			files.unlink(path);
			return { path, kind };
		}
		if (directories === "none") throw new FsError("EISDIR", path, "to delete a directory, set recursive to true");
		if (directories === "empty") files.removeDirectory(path);
		else files.removeTree(path);
		return { path, kind };
	},
};
