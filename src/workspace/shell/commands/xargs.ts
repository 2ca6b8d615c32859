import type { ExecResult, ResolvedCommandContext } from "just-bash/browser";
import { quoted } from "./env";
import { type Options, readOptions } from "./options";
import { fromBytes, own, readBytes, result, stdinOf, usageError } from "./own";

/** Bytes of the arguments of one command, as GNU xargs takes by default. */
const maxArgumentBytes = 131_072;

/** Makes commands out of what it reads. */
export const xargs = own("xargs", async (args, context) => {
	const read = readOptions(args, {
		flags: "0rtxp",
		valued: "nIdaPLsE",
		long: {
			null: "0",
			"no-run-if-empty": "r",
			verbose: "t",
			"max-args": "n",
			replace: "I",
			delimiter: "d",
			"arg-file": "a",
			"max-procs": "P",
			"max-lines": "L",
			"max-chars": "s",
		},
		stopsAtOperand: true,
	});
	if (!read.ok) return usageError("xargs", read.message);
	const { options } = read;
	const file = options.value("a");
	const text = fromBytes(file === undefined ? stdinOf(context) : await readBytes(context, file));
	const items = itemsOf(text, options);
	if (items === undefined) return result("", "xargs: unmatched quote; by default quotes are special to xargs\n", 1);
	const command = options.operands.length > 0 ? options.operands : ["echo"];
	return await runAll(commandsOf(items, command, options), options.has("t"), context);
});

function itemsOf(text: string, options: Options): string[][] | undefined {
	const mark = options.has("0") ? "\0" : delimiterOf(options.value("d"));
	if (mark !== undefined)
		return text.split(mark).flatMap((item, index, all) => (item === "" && index === all.length - 1 ? [] : [[item]]));
	if (options.has("I"))
		return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [[unquote(line.trimStart())]]));
	const lines = wordsOf(text);
	return options.has("L") ? lines : lines?.flat().map((word) => [word]);
}

function commandsOf(items: string[][], command: readonly string[], options: Options): string[][] {
	const mark = options.value("I");
	if (mark !== undefined) return items.map(([item = ""]) => command.map((word) => word.replaceAll(mark, () => item)));
	if (items.length === 0) return options.has("r") ? [] : [[...command]];
	const perCommand = Number(options.value("n") ?? options.value("L") ?? Number.POSITIVE_INFINITY);
	const commands: string[][] = [];
	let taken: string[][] = [];
	let bytes = 0;
	for (const item of items) {
		const size = item.join(" ").length + 1;
		if (taken.length > 0 && (taken.length >= perCommand || bytes + size > maxArgumentBytes)) {
			commands.push([...command, ...taken.flat()]);
			[taken, bytes] = [[], 0];
		}
		taken.push(item);
		bytes += size;
	}
	return [...commands, [...command, ...taken.flat()]];
}

async function runAll(commands: string[][], isVerbose: boolean, context: ResolvedCommandContext): Promise<ExecResult> {
	let [stdout, stderr, exitCode] = ["", "", 0];
	for (const [name = "", ...args] of commands) {
		if (isVerbose) stderr += `${[name, ...args].join(" ")}\n`;
		const run = await context.exec?.(quoted(name), { cwd: context.cwd, args });
		if (run === undefined) break;
		stdout += run.stdoutKind === "bytes" || run.stdoutEncoding === "binary" ? fromBytes(run.stdout) : run.stdout;
		stderr += run.stderr;
		if (run.exitCode === 255)
			return { stdout, stderr: `${stderr}xargs: ${name}: exited with status 255; aborting\n`, exitCode: 124 };
		if (run.exitCode === 126 || run.exitCode === 127) return { stdout, stderr, exitCode: run.exitCode };
		if (run.exitCode !== 0) exitCode = 123;
	}
	return { stdout, stderr, exitCode, stdoutKind: "text" };
}

const escapes: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\0": "\0", "\\r": "\r", "\\\\": "\\" };

const delimiterOf = (text: string | undefined) => (text === undefined ? undefined : (escapes[text] ?? text.charAt(0)));

/** Lines of words between blanks; quotes and backslashes take the meaning of the character in them. Undefined when a quote is open. */
function wordsOf(text: string): string[][] | undefined {
	const lines: string[][] = [[]];
	const token = /\n|[ \t]+|((?:[^\s"'\\]|\\[\s\S]|"[^"\n]*"|'[^'\n]*')+)|[\s\S]/g;
	for (const [whole, word] of text.matchAll(token)) {
		if (word !== undefined) lines.at(-1)?.push(unquote(word));
		else if (whole === "\n") lines.push([]);
		else if (whole === '"' || whole === "'") return undefined;
	}
	return lines.filter((line) => line.length > 0);
}

const unquote = (word: string): string =>
	word.replace(/\\([\s\S])|"([^"\n]*)"|'([^'\n]*)'/g, (_, plain, double, single) => plain ?? double ?? single ?? "");
