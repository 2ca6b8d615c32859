import { resolveAsked } from "../guarded";
import type { SteppedOperation } from "../operation";
import { type GlobOptions, type GlobOutcome, globFiles } from "../search/glob-files";

/** Finds files by a pattern over their paths. */
export const glob: SteppedOperation<GlobOptions, GlobOutcome> = {
	writes: false,
	steps: (files, options, rules) => globFiles(files, { ...options, path: resolveAsked(options.path, rules) }),
};
