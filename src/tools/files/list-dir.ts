import * as z from "zod";
import { clampedInteger, optional } from "../lenient";
import { defineTool, type ToolContext } from "../tool";
import { directoryArgument, flagArgument } from "./arguments";
import { fileResult } from "./file-result";
import { showListing } from "./show-listing";

/** Entries that one call shows. */
const maxEntries = 500;
/** Levels that a recursive listing shows when it is not said how many. */
const defaultDepth = 3;

export const listDir = defineTool({
	name: "list_dir",
	group: "files",
	description: `
		List a directory: one line per entry with its time, size and name, sorted by name; a directory ends in "/", a symbolic
		link shows where it points. At most ${maxEntries} entries. To find files by name use glob.`,
	input: z.object({
		path: directoryArgument("The directory"),
		recursive: flagArgument("List what is in its directories too; false when absent."),
		max_depth: optional(clampedInteger(1, 10)).describe(
			`How many levels a recursive listing goes down, 1 to 10; ${defaultDepth} when absent.`,
		),
	}),
	effects: "read",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "read" }],
	async execute({ files }: Pick<ToolContext, "files">, { path, recursive, max_depth = defaultDepth }) {
		const maxDepth = recursive ? max_depth : 1;
		const reply = await files.perform("list", { path, maxDepth, limit: maxEntries });
		return fileResult(reply, (listing) => showListing(listing, maxDepth));
	},
});
