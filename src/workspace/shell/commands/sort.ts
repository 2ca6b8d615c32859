import { bytesOf } from "../encoding";
import { readOptions } from "./options";
import { linesOf, own, pathOf, readInputs, result, toBytes, usageError } from "./own";
import { byText, type Key, type Ordering, readKey, wholeLine } from "./sort-key";

const orderings = "bdfghinMVr";

/** Sorts lines by their bytes, or by keys. */
export const sort = own("sort", async (args, context) => {
	const read = readOptions(args, {
		flags: `${orderings}cCmsuz`,
		valued: "ktoST",
		long: {
			"numeric-sort": "n",
			reverse: "r",
			unique: "u",
			"ignore-case": "f",
			"ignore-leading-blanks": "b",
			"dictionary-order": "d",
			"general-numeric-sort": "g",
			"human-numeric-sort": "h",
			"ignore-nonprinting": "i",
			"month-sort": "M",
			"version-sort": "V",
			key: "k",
			"field-separator": "t",
			output: "o",
			check: "c",
			merge: "m",
			stable: "s",
			"zero-terminated": "z",
			"buffer-size": "S",
			"temporary-directory": "T",
		},
	});
	if (!read.ok) return usageError("sort", read.message, 2);
	const { options } = read;
	const ordering: Ordering = { letters: [...orderings].filter((letter) => options.has(letter)).join("") };
	const separator = options.value("t");
	const keys = options.values("k").map((text) => readKey(text, ordering));
	const bad = keys.indexOf(undefined);
	if (bad >= 0) return result("", `sort: invalid key '${options.values("k")[bad]}'\n`, 2);
	const known = keys.filter((key): key is Key => key !== undefined);
	const isReversed = options.has("r");
	const split = separator === undefined ? undefined : toBytes(separator === "\\0" ? "\0" : separator);
	const byKeys = (known.length > 0 ? known : [wholeLine(ordering)]).map((key) => key.comparer(split));
	const compareKeys = (one: string, other: string) =>
		byKeys.reduce((order, compare) => order || compare(one, other), 0);
	const isTied = options.has("s") || options.has("u");
	const compare = (one: string, other: string) =>
		compareKeys(one, other) || (isTied ? 0 : byText(one, other) * (isReversed ? -1 : 1));
	const end = options.has("z") ? "\0" : "\n";
	const { inputs, errors } = await readInputs("sort", options.operands, context);
	if (errors !== "") return result("", errors.replace("sort: ", "sort: cannot read: "), 2);
	const lines = inputs.flatMap(({ content }) => linesOf(content, end));
	if (options.has("c") || options.has("C")) {
		const at = lines.findIndex((line, index) => {
			const order = index === 0 ? -1 : compare(lines[index - 1] ?? "", line);
			return order > 0 || (order === 0 && options.has("u"));
		});
		if (at < 0) return result("");
		const told = options.has("C") ? "" : `sort: ${options.operands[0] ?? "-"}:${at + 1}: disorder: ${lines[at]}\n`;
		return result("", told, 1);
	}
	lines.sort(compare);
	const kept = options.has("u")
		? lines.filter((line, index) => index === 0 || compareKeys(lines[index - 1] ?? "", line) !== 0)
		: lines;
	const text = kept.map((line) => line + end).join("");
	const target = options.value("o");
	if (target === undefined) return result(text);
	await context.fs.writeFile(pathOf(context, target), bytesOf(text));
	return result("");
});
