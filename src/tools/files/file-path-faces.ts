import * as z from "zod";
import { clampedInteger, optional, textOrJson } from "../lenient";
import { defineAlias } from "../tool";
import { directoryArgument, flagArgument, pathArgument } from "./arguments";
import { listDir } from "./list-dir";
import { partArguments, readFile } from "./read-file";
import { writeFile } from "./write-file";

export const readFileByFilePath = defineAlias(readFile, {
	name: "readFile",
	input: z.object({ filePath: pathArgument("The file"), ...partArguments }),
	map: ({ filePath, ...part }) => ({ path: filePath, ...part }),
});

export const writeFileByFilePath = defineAlias(writeFile, {
	name: "writeFile",
	input: z.object({
		filePath: pathArgument("The file"),
		content: textOrJson(z.string()).describe("The whole content, as it shall stand there."),
	}),
	map: ({ filePath, content }) => ({ path: filePath, content }),
});

const listing = z.object({
	filePath: directoryArgument("The directory"),
	recursive: flagArgument("List what is in its directories too; false when absent."),
	maxDepth: optional(clampedInteger(1, 10)).describe(
		"How many levels a recursive listing goes down, 1 to 10; 3 when absent.",
	),
});
const mapListing = ({ filePath, recursive, maxDepth }: z.output<typeof listing>) => ({
	path: filePath,
	recursive,
	max_depth: maxDepth,
});

export const listDirectory = defineAlias(listDir, { name: "list_directory", input: listing, map: mapListing });

export const listDirectoryByFilePath = defineAlias(listDir, { name: "listDirectory", input: listing, map: mapListing });
