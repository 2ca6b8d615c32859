import type { Command } from "just-bash/browser";
import { readOptions } from "./options";
import { pathOf } from "./own";

const inPlace = /^(?:-([nErsuz]*)i(.+)|--in-place=(.+))$/;

/** sed with `-i.bak`: the files are kept under another name before just-bash, which only knows `-i`, changes them. */
export const keepingBackups = (sed: Command): Command => ({
	name: sed.name,
	async execute(args, context) {
		const at = args.findIndex((word) => inPlace.test(word));
		const [, letters = "", suffix, longSuffix] = inPlace.exec(args[at] ?? "") ?? [];
		const ending = suffix ?? longSuffix;
		if (ending === undefined) return await sed.execute(args, context);
		const words = args.with(at, `-${letters}i`);
		const read = readOptions(words, { flags: "nErsuzi", valued: "efl", long: { expression: "e", file: "f" } });
		if (!read.ok) return await sed.execute(words, context);
		const { options } = read;
		const files = options.has("e") || options.has("f") ? options.operands : options.operands.slice(1);
		for (const file of files) {
			const path = pathOf(context, file);
			if (await context.fs.exists(path)) await context.fs.cp(path, backupOf(path, ending));
		}
		return await sed.execute(words, context);
	},
});

/** A `*` in the ending stands for the name. */
function backupOf(path: string, ending: string): string {
	const at = path.lastIndexOf("/") + 1;
	const name = path.slice(at);
	return path.slice(0, at) + (ending.includes("*") ? ending.replaceAll("*", () => name) : name + ending);
}
