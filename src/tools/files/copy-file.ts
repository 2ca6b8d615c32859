import * as z from "zod";
import { counted } from "../../lib/counted";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";

export const copyFile = defineTool({
	name: "copy_file",
	group: "files",
	description: `
		Copy one file. A file at the target is replaced, a directory is neither copied nor copied into: say the whole new
		path. Missing directories above the target are made.`,
	input: z.object({
		from: pathArgument("The file to copy"),
		to: pathArgument("The path of the copy"),
	}),
	effects: "write",
	idempotent: true,
	touches: ({ from, to }) => [
		{ file: from, mode: "read" },
		{ file: to, mode: "write" },
	],
	execute: async ({ files }, { from, to }) =>
		fileResult(
			await files.perform("copy", { from, to }),
			({ from, to, size, replaced }) =>
				`Copied ${from} to ${to}${replaced ? ", replacing what was there" : ""}: ${counted(size, "byte")}.`,
		),
});
