import * as z from "zod";
import { defineTool } from "../tool";
import { directoryArgument, flagArgument } from "./arguments";
import { fileResult } from "./file-result";
import { shownPath } from "./shown-path";

const maxPaths = 200;

export const glob = defineTool({
	name: "glob",
	group: "files",
	description: `
		Find files by a pattern over their paths, such as **/*.ts or docs/*.{md,txt}: * is any run within a name, ? one
		character, ** any folders. Answers at most ${maxPaths} paths in the order of their names. What .gitignore files name is
		left out unless asked for.`,
	input: z.object({
		pattern: z.string().min(1).describe("The pattern, over paths below the directory."),
		path: directoryArgument("The directory to look in"),
		respect_gitignore: flagArgument("Leave out what .gitignore files name, and .git; true when absent."),
	}),
	effects: "read",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "read" }],
	async execute({ files, settings }, { pattern, path, respect_gitignore = true }) {
		const input = { pattern, path, respectIgnore: respect_gitignore, limit: maxPaths };
		return fileResult(await files.perform("glob", input), ({ paths, more, stopped }) => {
			if (paths.length === 0) return nothingFits(pattern);
			const rest = `[${stopped ? "More than " : ""}${more} more fit. Narrow the pattern, or say a directory in path.]`;
			return [...paths.map((found) => shownPath(found, settings)), ...(more > 0 ? [rest] : [])].join("\n");
		});
	},
});

/** Models often mean any folder by a bare name. */
const nothingFits = (pattern: string): string =>
	pattern.includes("/")
		? `No file fits ${pattern}.`
		: `No file fits ${pattern} in the directory itself. **/${pattern} looks below it too.`;
