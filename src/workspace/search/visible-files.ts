import type { FileSystem, ReadableFile } from "../file-system";
import { FsError } from "../fs-error";
import { FileRefused } from "../guarded";
import { childOf, nameBelow, parentOf } from "../paths";
import { type IgnoreRules, parseIgnoreRules } from "./ignore-rules";

/** What is read of one `.gitignore`. */
const maxIgnoreBytes = 65_536;

export interface VisibleOptions {
	readonly path: string;
	/** Leave out what the `.gitignore` files name, from the folders above too, and every `.git`. */
	readonly respectIgnore: boolean;
	/** Folders to go into; all without it. */
	readonly enter?: (path: string) => boolean;
}

/**
 * The files and symlinks below a folder, names in byte order, a folder's content in the place of its name. Hidden ones are files like
 * others. Undefined stands for each entry that is left out, so that whoever goes through many of them can let others in between.
 */
export function* visibleFiles(
	files: FileSystem,
	options: VisibleOptions,
): Generator<ReadableFile | undefined, void, void> {
	const { path, respectIgnore, enter = () => true } = options;
	const isIgnored = respectIgnore ? ignoring(files) : () => false;
	for (const found of files.walkContent(path, (folder) => enter(folder) && !isIgnored(folder, true))) {
		yield found.stat.kind !== "directory" && !isIgnored(found.path, false) ? found : undefined;
	}
}

/** The rules that hold in a folder: the nearest that speaks of a path decides. */
interface RulesOfFolder {
	readonly folder: string;
	readonly rules: IgnoreRules;
	readonly above: RulesOfFolder | undefined;
}

function ignoring(files: FileSystem): (path: string, isDirectory: boolean) => boolean {
	const known = new Map<string, RulesOfFolder | undefined>();
	const rulesIn = (folder: string): RulesOfFolder | undefined => {
		if (known.has(folder)) return known.get(folder);
		const above = folder === "/" ? undefined : rulesIn(parentOf(folder));
		const rules = readRules(files, childOf(folder, ".gitignore"));
		const result = rules ? { folder, rules, above } : above;
		known.set(folder, result);
		return result;
	};
	return (path, isDirectory) => {
		if (path.endsWith("/.git")) return true;
		for (let of = rulesIn(parentOf(path)); of; of = of.above) {
			const verdict = of.rules.judge(nameBelow(of.folder, path), isDirectory);
			if (verdict) return verdict === "ignored";
		}
		return false;
	};
}

/** None where there is no such file, where it is a link, as git has it, or where it may not be seen. */
function readRules(files: FileSystem, path: string): IgnoreRules | undefined {
	try {
		if (files.lstat(path).kind !== "file") return undefined;
		const bytes = files.read(path, { length: maxIgnoreBytes });
		return parseIgnoreRules(new TextDecoder().decode(bytes));
	} catch (error) {
		if (error instanceof FsError || error instanceof FileRefused) return undefined;
		throw error;
	}
}
