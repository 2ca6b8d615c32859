import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { grepFiles } from "../search/grep-files";

/** Searches the content of files by a regular expression. */
export const grep: Operation<Parameters<typeof grepFiles>[1], ReturnType<typeof grepFiles>> = {
	writes: false,
	run: (files, options, rules) => grepFiles(files, { ...options, path: resolveAsked(options.path, rules) }),
};
