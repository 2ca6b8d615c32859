import * as z from "zod";
import { defineTool } from "../tool";
import { flagArgument, pathArgument } from "./arguments";
import { deletesTree } from "./deletes-tree";
import { fileResult } from "./file-result";
import { showRemoved } from "./show-removed";

export const deleteFile = defineTool({
	name: "delete_file",
	group: "files",
	description: `
		Delete a file, or a symbolic link itself. A directory is refused unless recursive is true; deleting one with
		everything in it may need a person's approval. The workspace itself is never deleted.`,
	input: z.object({
		path: pathArgument("What to delete"),
		recursive: flagArgument("Delete a directory with everything in it; false when absent."),
	}),
	effects: "write",
	idempotent: true,
	policySubjects: deletesTree,
	touches: ({ path }) => [{ file: path, mode: "delete" }],
	execute: async ({ files }, { path, recursive }) =>
		fileResult(await files.perform("remove", { path, directories: recursive ? "any" : "none" }), showRemoved),
});
