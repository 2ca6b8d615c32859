import { readOptions } from "./options";
import { own, pathOf, reasonOf, result, usageError } from "./own";

/** Removes files, links themselves, and with `-r` directories. */
export const rm = own("rm", async (args, context) => {
	const read = readOptions(args, {
		flags: "rRfivd",
		long: { recursive: "r", force: "f", verbose: "v", dir: "d", "one-file-system": "v", "preserve-root": "v" },
	});
	if (!read.ok) return usageError("rm", read.message);
	const { options } = read;
	const isForced = options.has("f");
	if (options.operands.length === 0) return isForced ? result("") : usageError("rm", "missing operand");
	let [stdout, errors] = ["", ""];
	for (const name of options.operands) {
		try {
			if (/(^|\/)\.{1,2}\/*$/.test(name)) throw new Error("refusing to remove '.' or '..' directory");
			const path = pathOf(context, name);
			const { isDirectory } = await context.fs.lstat(path);
			const isRecursive = options.has("r") || options.has("R");
			if (isDirectory && !isRecursive && !options.has("d")) throw new Error("EISDIR: is a directory");
			await context.fs.rm(path, { recursive: isRecursive });
			if (options.has("v")) stdout += `removed ${isDirectory ? "directory " : ""}'${name}'\n`;
		} catch (error) {
			const reason = reasonOf(error);
			const isMissing = reason === "No such file or directory" || reason === "Not a directory";
			if (!isForced || !isMissing) errors += `rm: cannot remove '${name}': ${reason}\n`;
		}
	}
	return result(stdout, errors, errors === "" ? 0 : 1);
});
