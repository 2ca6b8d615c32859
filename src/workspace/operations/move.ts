import { type Conditions, checkConditions } from "../conditions";
import type { FileKind, FileSystem } from "../file-system";
import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { lookAt, lookAtLink } from "./look";
import { makeParents } from "./parent";

export interface Move {
	readonly from: string;
	readonly to: string;
	/** Of what is moved. */
	readonly fromConditions?: Conditions;
	/** Of what it is to replace. */
	readonly toConditions?: Conditions;
}

export interface Moved {
	readonly from: string;
	readonly to: string;
	readonly kind: FileKind;
	readonly replaced: boolean;
}

/** Moves a file, a symlink itself or a whole directory; replaces a file, never a directory. */
export const move: Operation<Move, Moved> = {
	writes: true,
	run(files, asked, rules) {
		const from = resolveAsked(asked.from, rules);
		const to = resolveAsked(asked.to, rules);
		const { kind } = files.lstat(from);
		checkConditions(files, from, asked.fromConditions ?? {});
		checkConditions(files, to, asked.toConditions ?? {});
		if (lookAt(files, to)?.kind === "directory") {
			throw new FsError("EISDIR", to, "say the whole new path");
		}
		const before = lookAtLink(files, to);
		return files.atomically(() => {
			if (!before) makeParents(files, to);
			renameOrCopy(files, { from, to, replaces: before !== undefined && kind !== "directory" });
			return { from, to, kind, replaced: before !== undefined };
		});
	},
};

/** `/tmp` is a tree of its own, so that what crosses over is copied and then removed. */
function renameOrCopy(files: FileSystem, { from, to, replaces }: { from: string; to: string; replaces: boolean }) {
	try {
		files.rename(from, to);
	} catch (error) {
		if (!(error instanceof FsError) || error.code !== "EXDEV") throw error;
		if (replaces) files.unlink(to);
		copyTree(files, from, to);
		files.removeTree(from);
	}
}

function copyTree(files: FileSystem, from: string, to: string): void {
	copyEntry(files, from, to);
	if (files.lstat(from).kind !== "directory") return;
	for (const { path } of files.walk(from)) copyEntry(files, path, to + path.slice(from.length));
}

function copyEntry(files: FileSystem, from: string, to: string): void {
	const { kind, mode, mtimeMs } = files.lstat(from);
	if (kind === "directory") files.makeDirectory(to, { mode });
	else if (kind === "symlink") files.symlink(files.readLink(from), to);
	else {
		files.copyFile(from, to);
		files.setTimes(to, { mtimeMs });
	}
}
