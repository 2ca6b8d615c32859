import * as z from "zod";
import { textOrJson } from "../lenient";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";
import { showWritten } from "./show-written";

/** The face of `edit_file` that knows no parts: what it calls a diff is the whole new content (X9). */
export const replaceFile = defineTool({
	name: "editFile",
	group: "files",
	aliasOf: "edit_file",
	toCanonical: ({ filePath, diff }) => ({ path: filePath, new_string: diff }),
	description: `
		Replace the complete content of a file that exists. diff is the whole new text, not a patch. A file that is not there
		is an error: make it with write_file.`,
	input: z.object({
		filePath: pathArgument("The file"),
		diff: textOrJson(z.string()).describe("The complete new content."),
	}),
	effects: "write",
	idempotent: true,
	touches: ({ filePath }) => [{ file: filePath, mode: "write" }],
	execute: async ({ files }, { filePath, diff }) =>
		fileResult(await files.perform("write_text", { path: filePath, content: diff, mustExist: true }), showWritten),
});
