import type { ResolvedCommandContext } from "just-bash/browser";
import { readOptions } from "./options";
import { own, pathOf, reasonOf, result, toBytes, usageError } from "./own";

const flags = {
	flags: "femnqsvz",
	long: { canonicalize: "f", "canonicalize-existing": "e", "canonicalize-missing": "m", "no-newline": "n" },
};

/** Prints where a link leads, or with `-f` the path with every link resolved. */
export const readlink = own("readlink", async (args, context) => {
	const read = readOptions(args, flags);
	if (!read.ok) return usageError("readlink", read.message);
	const { options } = read;
	if (options.operands.length === 0) return usageError("readlink", "missing operand");
	const isResolving = ["f", "e", "m"].some((letter) => options.has(letter));
	const found: string[] = [];
	for (const name of options.operands) {
		const path = pathOf(context, name);
		const target = isResolving ? resolved(path, options.has("e"), context) : context.fs.readlink(path);
		found.push(...(await target.then((text) => [text]).catch(() => [])));
	}
	const text = options.has("n") ? found.join("\n") : found.map((one) => `${one}\n`).join("");
	return result(toBytes(text), "", found.length === options.operands.length ? 0 : 1);
});

/** Prints paths with every link resolved. */
export const realpath = own("realpath", async (args, context) => {
	const read = readOptions(args, flags);
	if (!read.ok) return usageError("realpath", read.message);
	const { options } = read;
	if (options.operands.length === 0) return usageError("realpath", "missing operand");
	let [stdout, errors] = ["", ""];
	for (const name of options.operands) {
		try {
			stdout += `${await resolved(pathOf(context, name), options.has("e"), context)}\n`;
		} catch (error) {
			errors += `realpath: ${name}: ${reasonOf(error)}\n`;
		}
	}
	return result(toBytes(stdout), errors, errors === "" ? 0 : 1);
});

/** The last component need not be there yet, unless it must. */
async function resolved(path: string, mustExist: boolean, { fs }: ResolvedCommandContext): Promise<string> {
	try {
		return await fs.realpath(path);
	} catch (error) {
		if (mustExist) throw error;
		const at = path.lastIndexOf("/");
		return fs.resolvePath(await fs.realpath(path.slice(0, at) || "/"), path.slice(at + 1));
	}
}
