import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { lookAt } from "./look";

/** Makes a directory and those above it; one that is there already is left alone. */
export const makeDir: Operation<{ path: string }, { path: string; created: boolean }> = {
	writes: true,
	run(files, { path: asked }, rules) {
		const path = resolveAsked(asked, rules);
		const before = lookAt(files, path);
		if (before && before.kind !== "directory") throw new FsError("EEXIST", path, `it is a ${before.kind}`);
		if (!before) files.makeDirectory(path, { parents: true });
		return { path, created: !before };
	},
};
