import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { globFiles } from "../search/glob-files";

/** Finds files by a pattern over their paths. */
export const glob: Operation<Parameters<typeof globFiles>[1], ReturnType<typeof globFiles>> = {
	writes: false,
	run: (files, options, rules) => globFiles(files, { ...options, path: resolveAsked(options.path, rules) }),
};
