import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { lookAt } from "./look";
import { makeParents } from "./parent";

export interface WriteText {
	readonly path: string;
	readonly content: string;
	/** Refuses to make a file that is not there. */
	readonly mustExist?: boolean;
}

export interface WrittenText {
	readonly path: string;
	readonly created: boolean;
	/** Bytes of the file now. */
	readonly size: number;
}

/** Makes a file of a text, or replaces the whole content of one; missing directories above it are made. */
export const writeText: Operation<WriteText, WrittenText> = {
	writes: true,
	run(files, { path: asked, content, mustExist }, rules) {
		const path = resolveAsked(asked, rules);
		const bytes = new TextEncoder().encode(content);
		const before = lookAt(files, path);
		if (before?.kind === "directory") throw new FsError("EISDIR", path);
		if (!before && mustExist) throw new FsError("ENOENT", path);
		if (!before) makeParents(files, path);
		files.write(path, bytes);
		return { path, created: !before, size: bytes.length };
	},
};
