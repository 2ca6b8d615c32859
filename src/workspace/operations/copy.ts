import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { lookAt } from "./look";
import { makeParents } from "./parent";

export interface Copied {
	readonly from: string;
	readonly to: string;
	readonly replaced: boolean;
	readonly size: number;
}

/** Copies one file, over another where there is one. */
export const copy: Operation<{ from: string; to: string }, Copied> = {
	writes: true,
	run(files, asked, rules) {
		const from = resolveAsked(asked.from, rules);
		const to = resolveAsked(asked.to, rules);
		const source = files.stat(from);
		if (source.kind === "directory") throw new FsError("EISDIR", from);
		const before = lookAt(files, to);
		if (before?.kind === "directory") throw new FsError("EISDIR", to, "say the file's whole new path");
		if (files.resolve(from) === files.resolve(to)) throw new FsError("EINVAL", to, "both paths lead to the same file");
		if (!before) makeParents(files, to);
		files.copyFile(from, to);
		return { from, to, replaced: before !== undefined, size: source.size };
	},
};
