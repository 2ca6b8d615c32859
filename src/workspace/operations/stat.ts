import type { FileStat } from "../file-system";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";

/** Tells what a path leads to. */
export const stat: Operation<{ path: string }, FileStat & { path: string }> = {
	writes: false,
	run(files, { path: asked }, rules) {
		const path = resolveAsked(asked, rules);
		return { path, ...files.stat(path) };
	},
};
