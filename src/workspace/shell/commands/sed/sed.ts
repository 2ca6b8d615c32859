import type { ResolvedCommandContext } from "just-bash/browser";
import { type Options, readOptions } from "../options";
import { fromBytes, own, readBytes, result, usageError } from "../own";
import { readSedScript } from "./sed-script";
import { SedSession } from "./sed-session";
import { SedLimit } from "./sed-work";

const spec = {
	flags: "nErsuz",
	valued: "efl",
	long: {
		quiet: "n",
		silent: "n",
		expression: "e",
		file: "f",
		"regexp-extended": "E",
		separate: "s",
		unbuffered: "u",
		"null-data": "z",
		"line-length": "l",
		posix: "u",
		sandbox: "u",
		"follow-symlinks": "u",
	},
};

/** Edits lines as GNU sed does, but for what runs programs. Of a line and of what it writes it holds no more than the shell may. */
export const sed = own("sed", async (args, context) => {
	const { words, ending } = withoutInPlace(args);
	const read = readOptions(words, spec);
	if (!read.ok) return usageError("sed", read.message);
	const { options } = read;
	const operands = [...options.operands];
	try {
		const text = await scriptOf(options, operands, context);
		if (text === undefined) return usageError("sed", "no script: give one, or -e, or -f");
		const script = readSedScript(text, options.has("E") || options.has("r"));
		const session = new SedSession({
			script,
			context,
			ending,
			isQuiet: options.has("n") || /^#n(\n|$)/.test(text),
			isSeparate: options.has("s") || ending !== undefined,
			end: options.has("z") ? "\0" : "\n",
			lineLength: Number(options.value("l") ?? 70),
		});
		return await session.edit(operands.length > 0 ? operands : ["-"]);
	} catch (error) {
		if (error instanceof SedLimit) return result("", `${error.message}\n`, 126);
		return result("", `sed: ${error instanceof Error ? error.message : String(error)}\n`, 1);
	}
});

const inPlace = /^(?:-([nErsuz]*)i([\s\S]*)|--in-place(?:=([\s\S]*))?)$/;

/** Takes out `-i`, whose ending stands right behind it or not at all. */
function withoutInPlace(args: readonly string[]): { words: string[]; ending: string | undefined } {
	let ending: string | undefined;
	const words = args.flatMap((word, index) => {
		const isValue = /^-[nErsuz]*[efl]$/.test(args[index - 1] ?? "") || args.slice(0, index).includes("--");
		const [whole, letters = "", suffix, longSuffix] = (!isValue && inPlace.exec(word)) || [];
		if (whole === undefined) return [word];
		ending = suffix ?? longSuffix ?? "";
		return letters === "" ? [] : [`-${letters}`];
	});
	return { words, ending };
}

/** The pieces of `-e` and `-f`, or the first operand, which is taken off. */
async function scriptOf(
	options: Options,
	operands: string[],
	context: ResolvedCommandContext,
): Promise<string | undefined> {
	const pieces: string[] = [];
	for (const [letter, value] of options.given("ef")) {
		if (letter === "e") pieces.push(value);
		else pieces.push(fromBytes(await readBytes(context, value)).replace(/\n$/, ""));
	}
	return pieces.length > 0 ? pieces.join("\n") : operands.shift();
}
