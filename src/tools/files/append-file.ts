import * as z from "zod";
import { counted } from "../../lib/counted";
import { textOrJson } from "../lenient";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";

export const appendFile = defineTool({
	name: "append_file",
	group: "files",
	description: `
		Add text to the end of a file, or make the file when it is missing. Nothing is put between, so begin with a
		line break where one is due. Answers the new size.`,
	input: z.object({
		path: pathArgument("The file"),
		content: textOrJson(z.string()).describe("The text to add."),
	}),
	effects: "write",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "write" }],
	execute: async ({ files }, { path, content }) =>
		fileResult(await files.perform("append_text", { path, content }), ({ path, created, size }) =>
			created
				? `Created ${path}: ${counted(size, "byte")}.`
				: `Appended to ${path}: it has ${counted(size, "byte")} now.`,
		),
});
