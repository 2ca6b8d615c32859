import type { ExecResult, ResolvedCommandContext } from "just-bash/browser";
import { type Change, diffLines } from "./diff-lines";
import { type Options, readOptions } from "./options";
import { linesOf, own, pathOf, readBytes, reasonOf, result, stdinOf, usageError } from "./own";

/** Shows how two files or directories differ, as GNU diff does by default or with `-u`. */
export const diff = own("diff", async (args, context) => {
	const read = readOptions(args, {
		flags: "uqsrNiwbBa",
		valued: "UL",
		long: {
			unified: "u",
			brief: "q",
			"report-identical-files": "s",
			recursive: "r",
			"new-file": "N",
			"ignore-case": "i",
			"ignore-all-space": "w",
			"ignore-space-change": "b",
			"ignore-blank-lines": "B",
			text: "a",
			label: "L",
		},
	});
	if (!read.ok) return usageError("diff", read.message, 2);
	const { options } = read;
	const [from, to] = options.operands;
	if (from === undefined || to === undefined) return usageError("diff", "missing operand", 2);
	try {
		return await compare(from, to, options, context);
	} catch (error) {
		return result("", `diff: ${error instanceof Error ? error.message : String(error)}\n`, 2);
	}
});

async function compare(
	from: string,
	to: string,
	options: Options,
	context: ResolvedCommandContext,
): Promise<ExecResult> {
	const [isFolder, isOther] = [await isDirectory(from, context), await isDirectory(to, context)];
	if (isFolder && isOther) return await compareFolders(from, to, options, context);
	const baseOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
	if (isFolder) return await compare(`${from}/${baseOf(to)}`, to, options, context);
	if (isOther) return await compare(from, `${to}/${baseOf(from)}`, options, context);
	const [one, other] = [await contentOf(from, options, context), await contentOf(to, options, context)];
	const changes = diffLines(keysOf(one, options), keysOf(other, options));
	if (changes.length === 0) return result(options.has("s") ? `Files ${from} and ${to} are identical\n` : "");
	if (options.has("q")) return result(`Files ${from} and ${to} differ\n`, "", 1);
	if ((one + other).includes("\0") && !options.has("a"))
		return result(`Binary files ${from} and ${to} differ\n`, "", 2);
	const files = { from: splitLines(one), to: splitLines(other) };
	if (!options.has("u") && !options.has("U"))
		return result(changes.map((change) => normal(change, files)).join(""), "", 1);
	const [labelFrom = await stamped(from, context), labelTo = await stamped(to, context)] = options.values("L");
	const around = Number(options.value("U") ?? 3);
	const hunks = hunksOf(changes, around).map((hunk) => unified(hunk, files, around));
	return result(`--- ${labelFrom}\n+++ ${labelTo}\n${hunks.join("")}`, "", 1);
}

async function compareFolders(
	from: string,
	to: string,
	options: Options,
	context: ResolvedCommandContext,
): Promise<ExecResult> {
	const [names, others] = [await namesIn(from, context), await namesIn(to, context)];
	let [stdout, exitCode] = ["", 0];
	for (const name of [...new Set([...names, ...others])].sort()) {
		const [one, other] = [`${from}/${name}`, `${to}/${name}`];
		const isBoth = names.includes(name) && others.includes(name);
		if (!isBoth && !options.has("N")) {
			stdout += `Only in ${names.includes(name) ? from : to}: ${name}\n`;
			exitCode = 1;
			continue;
		}
		const isFolder = await isDirectory(isBoth || names.includes(name) ? one : other, context);
		if (isFolder && !options.has("r")) {
			stdout += `Common subdirectories: ${one} and ${other}\n`;
			continue;
		}
		const inner = await compare(one, other, options, context);
		const isTitled = !isFolder && !options.has("q") && inner.exitCode === 1;
		stdout += (isTitled ? `diff ${[...given(options), one, other].join(" ")}\n` : "") + inner.stdout;
		exitCode = Math.max(exitCode, inner.exitCode);
	}
	return result(stdout, "", exitCode);
}

const given = (options: Options): string[] => {
	const letters = [..."urNiwb"].filter((letter) => options.has(letter)).join("");
	return letters === "" ? [] : [`-${letters}`];
};

const namesIn = (path: string, context: ResolvedCommandContext) => context.fs.readdir(pathOf(context, path));

const isDirectory = async (path: string, context: ResolvedCommandContext): Promise<boolean> =>
	path !== "-" && ((await context.fs.stat(pathOf(context, path)).catch(() => undefined))?.isDirectory ?? false);

async function contentOf(path: string, options: Options, context: ResolvedCommandContext): Promise<string> {
	try {
		return path === "-" ? stdinOf(context) : await readBytes(context, path);
	} catch (error) {
		const reason = reasonOf(error);
		if (options.has("N") && reason === "No such file or directory") return "";
		throw new Error(`${path}: ${reason}`);
	}
}

async function stamped(path: string, context: ResolvedCommandContext): Promise<string> {
	const modified = path === "-" ? new Date() : (await context.fs.stat(pathOf(context, path))).mtime;
	return `${path}\t${modified.toISOString().replace("T", " ").replace("Z", "000000")} +0000`;
}

/** The lines as they are compared; a last one without an end differs from the same with one. */
function keysOf(content: string, options: Options): string[] {
	return splitLines(content).map((line) => {
		let key = line;
		if (options.has("w")) key = key.replace(/[ \t\r\n]+/g, "");
		if (options.has("b")) key = key.replace(/[ \t\r]+/g, " ").replace(/ ?\n?$/, "");
		return options.has("i") ? key.toLowerCase() : key;
	});
}

const splitLines = (content: string): string[] =>
	linesOf(content).map((line, index, all) => (index < all.length - 1 || content.endsWith("\n") ? `${line}\n` : line));

interface Files {
	readonly from: readonly string[];
	readonly to: readonly string[];
}

const marked = (lines: readonly string[], mark: string): string =>
	lines.map((line) => mark + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`)).join("");

function normal({ from, to }: Change, files: Files): string {
	const [removed, added] = [files.from.slice(...from), files.to.slice(...to)];
	const letter = letterOf(removed.length, added.length);
	const separator = letter === "c" ? "---\n" : "";
	return `${rangeOf(from)}${letter}${rangeOf(to)}\n${marked(removed, "< ")}${separator}${marked(added, "> ")}`;
}

function letterOf(removed: number, added: number): "a" | "c" | "d" {
	if (removed === 0) return "a";
	return added === 0 ? "d" : "c";
}

function rangeOf([start, end]: readonly [number, number]): string {
	if (end - start === 0) return String(start);
	return end - start === 1 ? String(end) : `${start + 1},${end}`;
}

/** Changes whose surroundings touch are shown together. */
function hunksOf(changes: readonly Change[], around: number): Change[][] {
	const hunks: Change[][] = [];
	for (const change of changes) {
		const last = hunks.at(-1)?.at(-1);
		if (last !== undefined && change.from[0] - last.from[1] <= 2 * around) hunks.at(-1)?.push(change);
		else hunks.push([change]);
	}
	return hunks;
}

function unified(hunk: readonly Change[], files: Files, around: number): string {
	const [first, last] = [hunk[0], hunk.at(-1)];
	if (first === undefined || last === undefined) return "";
	const before = Math.min(around, first.from[0]);
	const after = Math.min(around, files.from.length - last.from[1]);
	let body = "";
	let at = first.from[0] - before;
	for (const { from, to } of hunk) {
		body +=
			marked(files.from.slice(at, from[0]), " ") +
			marked(files.from.slice(...from), "-") +
			marked(files.to.slice(...to), "+");
		at = from[1];
	}
	body += marked(files.from.slice(at, last.from[1] + after), " ");
	const range = (start: number, end: number) =>
		end - start === 1 ? String(end) : `${end === start ? start : start + 1},${end - start}`;
	const title = `@@ -${range(first.from[0] - before, last.from[1] + after)} +${range(first.to[0] - before, last.to[1] + after)} @@\n`;
	return title + body;
}
