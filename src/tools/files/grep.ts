import * as z from "zod";
import { clampedInteger, optional } from "../lenient";
import { defineTool } from "../tool";
import { directoryArgument, flagArgument } from "./arguments";
import { fileResult } from "./file-result";
import { showFindings } from "./show-findings";

const maxLines = 200;

export const grep = defineTool({
	name: "grep",
	group: "files",
	description: `
		Search the lines of text files by a regular expression (RE2: no backreferences, no lookaround). Answers at most
		${maxLines} lines as file:line:text, in the order of the paths. Binary files, symbolic links and what .gitignore files
		name are left out.`,
	input: z.object({
		pattern: z.string().min(1).describe("The regular expression, matched within each line."),
		path: directoryArgument("The file or directory to search"),
		include: optional(z.string().min(1)).describe("Only files whose name, or path, fits this glob, such as *.ts."),
		ignore_case: flagArgument("Letter case does not matter; false when absent."),
		literal: flagArgument("The pattern is plain text; false when absent."),
		context_lines: optional(clampedInteger(0, 5)).describe("Lines to show around each match, 0 to 5; 0 when absent."),
		respect_gitignore: flagArgument("Leave out what .gitignore files name, and .git; true when absent."),
	}),
	effects: "read",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "read" }],
	async execute({ files, settings }, { pattern, path, include, ...flags }) {
		const { ignore_case = false, literal = false, context_lines = 0, respect_gitignore = true } = flags;
		const input = {
			pattern,
			path,
			ignoreCase: ignore_case,
			literal,
			contextLines: context_lines,
			respectIgnore: respect_gitignore,
			limit: maxLines,
			...(include !== undefined && { include }),
		};
		return fileResult(await files.perform("grep", input), (outcome) => showFindings(outcome, pattern, settings));
	},
});
