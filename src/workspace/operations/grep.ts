import { resolveAsked } from "../guarded";
import type { SteppedOperation } from "../operation";
import type { GrepOutcome } from "../search/findings";
import { type GrepOptions, grepFiles } from "../search/grep-files";

/** Searches the lines of files by a regular expression. */
export const grep: SteppedOperation<GrepOptions, GrepOutcome> = {
	writes: false,
	steps: (files, options, rules) => grepFiles(files, { ...options, path: resolveAsked(options.path, rules) }),
};
