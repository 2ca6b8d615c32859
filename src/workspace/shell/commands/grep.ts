import type { ExecResult, ResolvedCommandContext } from "just-bash/browser";
import { filesToSearch } from "./grep-files";
import { type MatcherOptions, matcherOf } from "./grep-matcher";
import { type SearchOptions, searchText } from "./grep-search";
import { GrepWork } from "./grep-work";
import { type Options, readOptions } from "./options";
import { fromBytes, linesOf, own, readBytes, reasonOf, result, stdinOf, toBytes } from "./own";
import type { PatternKind } from "./posix-pattern";

const spec = {
	flags: "EFGPciloLnqsvwxhHrRzZaIbTUy",
	valued: "efmABC123456",
	long: {
		"extended-regexp": "E",
		"fixed-strings": "F",
		"basic-regexp": "G",
		"perl-regexp": "P",
		count: "c",
		"ignore-case": "i",
		"files-with-matches": "l",
		"files-without-match": "L",
		"only-matching": "o",
		"line-number": "n",
		quiet: "q",
		silent: "q",
		"no-messages": "s",
		"invert-match": "v",
		"word-regexp": "w",
		"line-regexp": "x",
		"no-filename": "h",
		"with-filename": "H",
		recursive: "r",
		"dereference-recursive": "R",
		"null-data": "z",
		null: "Z",
		text: "a",
		regexp: "e",
		file: "f",
		"max-count": "m",
		"after-context": "A",
		"before-context": "B",
		context: "C",
		include: "1",
		exclude: "2",
		"exclude-dir": "3",
		color: "U",
		colour: "U",
		"line-buffered": "U",
		"byte-offset": "b",
		"binary-files": "4",
	},
};

/** grep under each of its names, with a pattern language of its own. */
const grepAs = (name: string, kind: PatternKind) =>
	own(name, async (args, context) => {
		const read = readOptions(args, spec);
		if (!read.ok) return fail(name, read.message);
		const { options } = read;
		try {
			return await run(name, kindOf(options, kind), options, context);
		} catch (error) {
			return fail(name, error instanceof Error ? error.message : String(error));
		}
	});

export const grep = grepAs("grep", "basic");
export const egrep = grepAs("egrep", "extended");
export const fgrep = grepAs("fgrep", "fixed");

const fail = (name: string, message: string): ExecResult => result("", `${name}: ${message}\n`, 2);

function kindOf(options: Options, fallback: PatternKind): PatternKind {
	if (options.has("P")) return "perl";
	if (options.has("F")) return "fixed";
	if (options.has("E")) return "extended";
	return options.has("G") ? "basic" : fallback;
}

async function run(
	name: string,
	kind: PatternKind,
	options: Options,
	context: ResolvedCommandContext,
): Promise<ExecResult> {
	const operands = [...options.operands];
	const patterns = await patternsOf(options, operands, context);
	if (patterns === undefined) return fail(name, "no pattern: give one, or -e, or -f");
	const work = new GrepWork();
	const search = { matcher: matcherOf(patterns, matcherOptions(kind, options), work), work, pause: pauseOf(context) };
	const isRecursive = options.has("r") || options.has("R");
	const { files, errors: lost } = await filesToSearch(operands, isRecursive, options, context);
	const isNamed = !options.has("h") && (options.has("H") || isRecursive || operands.length > 1);
	let [stdout, errors, found] = ["", lost, false];
	for (const file of files) {
		try {
			const content = file === "-" ? stdinOf(context) : await readBytes(context, file);
			const label = file === "-" ? "(standard input)" : file;
			const outcome = await searchText(
				content,
				search,
				searchOptions(options, isNamed ? toBytes(label) : undefined, toBytes(label)),
			);
			stdout += outcome.text;
			found ||= outcome.isFound;
			if (found && options.has("q")) return result("");
		} catch (error) {
			const reason = reasonOf(error);
			if (!(isRecursive && reason === "Is a directory")) errors += `${name}: ${file}: ${reason}\n`;
		}
	}
	const exitCode = found ? 0 : 1;
	return result(stdout, options.has("s") ? "" : errors, errors === "" ? exitCode : 2);
}

async function patternsOf(
	options: Options,
	operands: string[],
	context: ResolvedCommandContext,
): Promise<string[] | undefined> {
	const given = options.values("e").flatMap((text) => text.split("\n"));
	for (const file of options.values("f")) {
		const bytes = file === "-" ? stdinOf(context) : await readBytes(context, file);
		given.push(...linesOf(fromBytes(bytes)));
	}
	if (options.has("e") || options.has("f")) return given;
	return operands.shift()?.split("\n");
}

const pauseOf =
	({ sleep }: ResolvedCommandContext) =>
	async (): Promise<void> => {
		await sleep?.(0);
	};

const matcherOptions = (kind: PatternKind, options: Options): MatcherOptions => ({
	kind,
	ignoresCase: options.has("i") || options.has("y"),
	wholeWords: options.has("w"),
	wholeLines: options.has("x"),
});

function searchOptions(options: Options, prefix: string | undefined, label: string): SearchOptions {
	const around = Number(options.value("C") ?? 0);
	return {
		prefix,
		label,
		isInverted: options.has("v"),
		isCount: options.has("c"),
		listing: listingOf(options),
		onlyMatching: options.has("o"),
		hasNumbers: options.has("n"),
		maxCount: Number(options.value("m") ?? Number.POSITIVE_INFINITY),
		before: Number(options.value("B") ?? around),
		after: Number(options.value("A") ?? around),
		end: options.has("z") ? "\0" : "\n",
		isText: options.has("a") || options.has("z"),
		isQuiet: options.has("q"),
	};
}

function listingOf(options: Options): SearchOptions["listing"] {
	if (options.has("l")) return "with";
	return options.has("L") ? "without" : undefined;
}
