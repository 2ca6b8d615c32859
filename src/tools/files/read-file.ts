import * as z from "zod";
import { clampedInteger, optional } from "../lenient";
import { defineTool } from "../tool";
import { pathArgument } from "./arguments";
import { fileResult } from "./file-result";
import { showPart } from "./show-part";

const maxNumber = Number.MAX_SAFE_INTEGER;

/** Which part of a file. */
export const partArguments = {
	offset: optional(clampedInteger(1, maxNumber)).describe("The first line to read, from 1."),
	limit: optional(clampedInteger(1, maxNumber)).describe("How many lines to read at most."),
	byte_offset: optional(clampedInteger(0, maxNumber)).describe(
		"The first byte to read, for files with very long lines; it comes before offset.",
	),
};

export const readFile = defineTool({
	name: "read_file",
	group: "files",
	description: `
		Read a text file, at most 32 KiB of it at a time. A last line in brackets says which lines and bytes these are, how
		large the file is, and how to read on. Skills are at /skills/{name}/SKILL.md, the memory is at /memory/MEMORY.md and
		results that were cut are whole at /artifacts/{id}.`,
	input: z.object({
		path: pathArgument("The file"),
		...partArguments,
	}),
	effects: "read",
	idempotent: true,
	touches: ({ path }) => [{ file: path, mode: "read" }],
	execute: async ({ files }, { path, offset, limit, byte_offset }) =>
		fileResult(await files.perform("read_text", { path, offset, limit, byteOffset: byte_offset }), showPart),
});
