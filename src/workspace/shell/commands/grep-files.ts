import type { ResolvedCommandContext } from "just-bash/browser";
import type { Options } from "./options";
import { pathOf, reasonOf } from "./own";
import { matchesWildcards } from "./wildcards";

/** The files that are to be searched, as they are named in the output; links inside a tree are not followed without `-R`. */
export async function filesToSearch(
	operands: readonly string[],
	isRecursive: boolean,
	options: Options,
	context: ResolvedCommandContext,
): Promise<{ files: string[]; errors: string }> {
	if (!isRecursive) return { files: operands.length > 0 ? [...operands] : ["-"], errors: "" };
	const files: string[] = [];
	let errors = "";
	const isWanted = (name: string) => {
		const included = options.values("1");
		if (options.values("2").some((pattern) => matchesWildcards(pattern, name))) return false;
		return included.length === 0 || included.some((pattern) => matchesWildcards(pattern, name));
	};
	const visit = async (shown: string): Promise<void> => {
		const path = pathOf(context, shown === "" ? "." : shown);
		const names = (await context.fs.readdir(path)).sort();
		for (const name of names) {
			const below = shown === "" ? name : `${shown.replace(/\/$/, "")}/${name}`;
			const stat = await (options.has("R") ? context.fs.stat : context.fs.lstat)(pathOf(context, below)).catch(
				() => undefined,
			);
			if (stat?.isDirectory) {
				if (!options.values("3").some((pattern) => matchesWildcards(pattern, name))) await visit(below);
			} else if (stat?.isFile && isWanted(name)) files.push(below);
		}
	};
	for (const operand of operands.length > 0 ? operands : [""]) {
		try {
			const { isDirectory } = await context.fs.stat(pathOf(context, operand === "" ? "." : operand));
			if (isDirectory) await visit(operand);
			else files.push(operand);
		} catch (error) {
			errors += `grep: ${operand}: ${reasonOf(error)}\n`;
		}
	}
	return { files, errors };
}
