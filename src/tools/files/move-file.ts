import * as z from "zod";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";

export const moveFile = defineTool({
	name: "move_file",
	group: "files",
	description: `
		Move or rename a file or a directory. A file at the target is replaced; a directory there is never, nor is anything
		moved into it: say the whole new path. Missing directories above the target are made.`,
	input: z.object({
		from: pathArgument("What to move"),
		to: pathArgument("Its new path"),
	}),
	effects: "write",
	idempotent: true,
	touches: ({ from, to }) => [
		{ file: from, mode: "delete" },
		{ file: to, mode: "write" },
	],
	execute: async ({ files }, { from, to }) =>
		fileResult(
			await files.perform("move", { from, to }),
			({ from, to, kind, replaced }) =>
				`Moved the ${kind} ${from} to ${to}${replaced ? ", replacing what was there" : ""}.`,
		),
});
