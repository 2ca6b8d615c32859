import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { lookAt } from "./look";
import { makeParents } from "./parent";
import type { WrittenText } from "./write-text";

/** Adds a text to the end of a file, or makes the file of it. */
export const appendText: Operation<{ path: string; content: string }, WrittenText> = {
	writes: true,
	run(files, { path: asked, content }, rules) {
		const path = resolveAsked(asked, rules);
		const before = lookAt(files, path);
		if (!before) makeParents(files, path);
		const size = files.append(path, new TextEncoder().encode(content));
		return { path, created: !before, size };
	},
};
