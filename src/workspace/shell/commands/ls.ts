import type { FsStat, ResolvedCommandContext } from "just-bash/browser";
import { childOf } from "../../paths";
import { type Options, readOptions } from "./options";
import { own, pathOf, reasonOf, result, toBytes, usageError } from "./own";

interface Entry {
	readonly name: string;
	readonly path: string;
	readonly stat: FsStat;
}

/** Lists files and directories, one a line. */
export const ls = own("ls", async (args, context) => {
	const read = readOptions(args, {
		flags: "laA1dRrStFphLgGonUi",
		long: {
			all: "a",
			"almost-all": "A",
			directory: "d",
			recursive: "R",
			reverse: "r",
			classify: "F",
			"human-readable": "h",
			dereference: "L",
			color: "G",
			"no-group": "G",
		},
	});
	if (!read.ok) return usageError("ls", read.message, 2);
	const { options } = read;
	const operands = options.operands.length > 0 ? options.operands : ["."];
	const entries: Entry[] = [];
	let errors = "";
	for (const name of operands) {
		try {
			entries.push(await entryAt(name, pathOf(context, name), options, context, true));
		} catch (error) {
			errors += `ls: cannot access '${name}': ${reasonOf(error)}\n`;
		}
	}
	const sorted = inOrder(entries, options);
	const isFolder = ({ stat }: Entry) => stat.isDirectory && !options.has("d");
	const blocks: string[] = [];
	const files = sorted.filter((entry) => !isFolder(entry));
	if (files.length > 0) blocks.push(await show(files, options, context));
	const isTitled = operands.length > 1 || options.has("R");
	for (const folder of sorted.filter(isFolder)) {
		try {
			blocks.push(...(await listFolder(folder, options, context, isTitled)));
		} catch (error) {
			errors += `ls: cannot open directory '${folder.name}': ${reasonOf(error)}\n`;
		}
	}
	return result(toBytes(blocks.join("\n")), errors, errors === "" ? 0 : 2);
});

/** A link that is named follows, unless details or a mark of it are asked for; a broken one is itself. */
async function entryAt(
	name: string,
	path: string,
	options: Options,
	{ fs }: ResolvedCommandContext,
	isNamed = false,
): Promise<Entry> {
	const link = await fs.lstat(path);
	const follows = options.has("L") || (isNamed && !["l", "d", "F"].some((letter) => options.has(letter)));
	const stat =
		link.isSymbolicLink && (follows || (isNamed && name.endsWith("/"))) ? await fs.stat(path).catch(() => link) : link;
	return { name, path, stat };
}

async function listFolder(
	folder: Entry,
	options: Options,
	context: ResolvedCommandContext,
	isTitled: boolean,
): Promise<string[]> {
	const names = (await context.fs.readdir(folder.path)).filter((name) => isShown(name, options));
	const entries: Entry[] = [];
	for (const name of names) entries.push(await entryAt(name, childOf(folder.path, name), options, context));
	const dots = options.has("a")
		? [
				{ ...folder, name: "." },
				{
					...(await entryAt("..", pathOf(context, `${folder.path}/..`), options, context).catch(() => folder)),
					name: "..",
				},
			]
		: [];
	const sorted = inOrder([...dots, ...entries], options);
	const total =
		options.has("l") || options.has("g") || options.has("n") || options.has("o") ? `total ${blocksOf(sorted)}\n` : "";
	const block = `${isTitled ? `${folder.name}:\n` : ""}${total}${await show(sorted, options, context)}`;
	if (!options.has("R")) return [block];
	const inner: string[] = [];
	for (const entry of inOrder(entries, options).filter(({ stat }) => stat.isDirectory)) {
		inner.push(
			...(await listFolder(
				{ ...entry, name: `${folder.name.replace(/\/$/, "")}/${entry.name}` },
				options,
				context,
				true,
			)),
		);
	}
	return [block, ...inner];
}

const isShown = (name: string, options: Options): boolean =>
	!name.startsWith(".") || options.has("a") || options.has("A");

function inOrder(entries: readonly Entry[], options: Options): Entry[] {
	const byName = (one: Entry, other: Entry) => (toBytes(one.name) < toBytes(other.name) ? -1 : 1);
	const sorted = options.has("U") ? [...entries] : [...entries].sort(byName);
	if (options.has("S")) sorted.sort((one, other) => other.stat.size - one.stat.size);
	if (options.has("t")) sorted.sort((one, other) => other.stat.mtime.getTime() - one.stat.mtime.getTime());
	return options.has("r") ? sorted.reverse() : sorted;
}

/** In units of 1 KiB, each file rounded up to 4. */
const blocksOf = (entries: readonly Entry[]): number => entries.reduce((sum, { stat }) => sum + blocksOfOne(stat), 0);

function blocksOfOne({ isDirectory, isSymbolicLink, size }: FsStat): number {
	if (isSymbolicLink) return 0;
	return isDirectory ? 4 : Math.ceil(size / 4_096) * 4;
}

async function show(entries: readonly Entry[], options: Options, context: ResolvedCommandContext): Promise<string> {
	const isLong = ["l", "g", "n", "o"].some((letter) => options.has(letter));
	if (!isLong) return entries.map((entry) => `${entry.name}${markOf(entry, options)}\n`).join("");
	const sizes = entries.map(({ stat }) => sizeOf(stat, options.has("h")));
	const width = Math.max(0, ...sizes.map((size) => size.length));
	let text = "";
	for (const [index, entry] of entries.entries()) {
		const { stat, name, path } = entry;
		const target = stat.isSymbolicLink ? ` -> ${await context.fs.readlink(path)}` : "";
		const owner = `${options.has("g") ? "" : " user"}${options.has("o") || options.has("G") ? "" : " user"}`;
		text += `${modeText(stat)} ${stat.isDirectory ? 2 : 1}${owner} ${sizes[index]?.padStart(width)} ${dateText(stat.mtime)} ${name}${stat.isSymbolicLink ? "" : markOf(entry, options)}${target}\n`;
	}
	return text;
}

function markOf({ stat }: Entry, options: Options): string {
	if (stat.isDirectory) return options.has("F") || options.has("p") ? "/" : "";
	if (!options.has("F")) return "";
	if (stat.isSymbolicLink) return "@";
	return (stat.mode & 0o111) === 0 ? "" : "*";
}

function sizeOf({ isDirectory, size }: FsStat, isHuman: boolean): string {
	const bytes = isDirectory ? 4_096 : size;
	if (!isHuman || bytes < 1_024) return String(bytes);
	const power = Math.floor(Math.log2(bytes) / 10);
	const number = bytes / 1_024 ** power;
	return `${number < 10 ? Math.ceil(number * 10) / 10 : Math.ceil(number)}${"KMGT"[power - 1]}`;
}

/** Ten letters, as `drwxr-xr-x`. */
export function modeText({ isDirectory, isSymbolicLink, mode }: FsStat): string {
	const bits = isSymbolicLink ? 0o777 : mode;
	const letters = [..."rwxrwxrwx"].map((letter, index) => (bits & (0o400 >> index) ? letter : "-"));
	return `${isDirectory ? "d" : linkMark(isSymbolicLink)}${letters.join("")}`;
}

const linkMark = (isLink: boolean): string => (isLink ? "l" : "-");

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const halfYearMs = 15_778_476_000;

/** The time of day of recent files, the year of others. */
function dateText(modified: Date): string {
	const day = `${months[modified.getUTCMonth()]} ${String(modified.getUTCDate()).padStart(2)}`;
	const age = Date.now() - modified.getTime();
	if (age > halfYearMs || age < 0) return `${day}  ${modified.getUTCFullYear()}`;
	return `${day} ${modified.toISOString().slice(11, 16)}`;
}
