import * as z from "zod";
import { textOrJson } from "../lenient";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";
import { showWritten } from "./show-written";

export const writeFile = defineTool({
	name: "write_file",
	group: "files",
	description: `
		Write a text file: make it, with the directories above it, or replace its whole content. Answers whether it was there
		and how large it is now. To change a part of a file use edit_file.`,
	input: z.object({
		path: pathArgument("The file"),
		content: textOrJson(z.string()).describe("The whole content, as it shall stand there."),
	}),
	effects: "write",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "write" }],
	execute: async ({ files }, { path, content }) =>
		fileResult(await files.perform("write_text", { path, content }), showWritten),
});
