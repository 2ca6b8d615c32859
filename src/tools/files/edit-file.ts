import * as z from "zod";
import { counted } from "../../lib/counted";
import { failure } from "../../shared/tool-result";
import { defineTool } from "../tool";
import { flagArgument, pathArgument } from "./arguments";
import { fileResult } from "./file-result";

export const editFile = defineTool({
	name: "edit_file",
	group: "files",
	description: `
		Replace a text in a file of at most 10 MB. old_string must stand there exactly once, white space included, unless
		replace_all is true; if it does not, nothing is changed and the answer says how often it was found. Read the file
		first.`,
	input: z.object({
		path: pathArgument("The file"),
		old_string: z.string().describe("The text to replace, copied exactly, with enough around it to be unique."),
		new_string: z.string().describe("What shall stand there; empty to take the text out."),
		replace_all: flagArgument("Replace it everywhere in the file; false when absent."),
	}),
	effects: "write",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "write" }],
	async execute({ files }, { path, old_string, new_string, replace_all = false }) {
		const problem = problemWith(old_string, new_string);
		if (problem) return failure("invalid_arguments", `${problem} Nothing was changed.`, { retryable: true });
		const input = { path, oldText: old_string, newText: new_string, all: replace_all };
		return fileResult(await files.perform("edit_text", input), ({ path, replaced, line, size }) => {
			const where = replaced === 1 ? `at line ${line}` : `${replaced} times, first at line ${line}`;
			return `Edited ${path} ${where}: it has ${counted(size, "byte")} now.`;
		});
	},
});

function problemWith(oldString: string, newString: string): string | undefined {
	if (oldString === "") return "old_string is empty: say what to replace, or use write_file to make a file.";
	return oldString === newString ? "old_string and new_string are the same." : undefined;
}
