import * as z from "zod";
import { defineTool } from "../tool";
import { flagArgument, pathArgument } from "./arguments";
import { deletesTree } from "./deletes-tree";
import { fileResult } from "./file-result";
import { showRemoved } from "./show-removed";

/** The face of `delete_file` that takes an empty directory too (X10). */
export const deleteAny = defineTool({
	name: "deleteFile",
	group: "files",
	aliasOf: "delete_file",
	toCanonical: ({ filePath, recursive }) => ({ path: filePath, recursive }),
	description: `
		Delete a file, a symbolic link itself or an empty directory. A directory with something in it needs recursive, and may
		then need a person's approval. The workspace itself is never deleted.`,
	input: z.object({
		filePath: pathArgument("What to delete"),
		recursive: flagArgument("Delete a directory with everything in it; false when absent."),
	}),
	effects: "write",
	idempotent: true,
	policySubjects: deletesTree,
	touches: ({ filePath }) => [{ file: filePath, mode: "delete" }],
	execute: async ({ files }, { filePath, recursive }) =>
		fileResult(
			await files.perform("remove", { path: filePath, directories: recursive ? "any" : "empty" }),
			showRemoved,
		),
});
