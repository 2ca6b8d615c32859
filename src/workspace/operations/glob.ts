import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { type GlobOptions, type GlobOutcome, globFiles } from "../search/glob-files";

/** Finds files by a pattern over their paths. */
export const glob: Operation<GlobOptions, GlobOutcome> = {
	writes: false,
	run: (files, options, rules) => globFiles(files, { ...options, path: resolveAsked(options.path, rules) }),
};
