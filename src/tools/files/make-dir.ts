import * as z from "zod";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";

export const makeDir = defineTool({
	name: "make_dir",
	group: "files",
	description: `
		Make a directory and the missing ones above it. One that is there already is fine.`,
	input: z.object({ path: pathArgument("The directory") }),
	effects: "write",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "make_directory" }],
	execute: async ({ files }, { path }) =>
		fileResult(await files.perform("make_dir", { path }), ({ path, created }) =>
			created ? `Made the directory ${path}.` : `The directory ${path} is there already.`,
		),
});
