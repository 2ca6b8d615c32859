import { readOptions } from "./options";
import { linesOf, own, readInputs, result, toBytes, usageError } from "./own";

/** Takes fields, characters or bytes out of each line. */
export const cut = own("cut", async (args, context) => {
	const read = readOptions(args, {
		flags: "snzC",
		valued: "bcfdO",
		long: {
			bytes: "b",
			characters: "c",
			fields: "f",
			delimiter: "d",
			"only-delimited": "s",
			complement: "C",
			"output-delimiter": "O",
			"zero-terminated": "z",
		},
	});
	if (!read.ok) return usageError("cut", read.message);
	const { options } = read;
	const mode = ["b", "c", "f"].find((letter) => options.has(letter));
	if (mode === undefined) return usageError("cut", "you must specify a list of bytes, characters, or fields");
	const ranges = rangesOf(options.value(mode) ?? "");
	if (ranges === undefined) return usageError("cut", `invalid ${mode === "f" ? "field" : "byte or character"} list`);
	const isTaken = (position: number) =>
		ranges.some(([from, to]) => position >= from && position <= to) !== options.has("C");
	const delimiter = toBytes(options.value("d") ?? "\t");
	const joint = options.has("O") ? toBytes(options.value("O") ?? "") : delimiterOf(mode, delimiter);
	const take = (line: string): string | undefined => {
		// GNU cut takes characters for bytes.
		const isFields = mode === "f";
		if (isFields && !line.includes(delimiter)) return options.has("s") ? undefined : line;
		const parts = isFields ? line.split(delimiter) : [...line];
		return parts.filter((_, index) => isTaken(index + 1)).join(joint);
	};
	const end = options.has("z") ? "\0" : "\n";
	const { inputs, errors } = await readInputs("cut", options.operands, context);
	const lines = inputs.flatMap(({ content }) => linesOf(content, end)).map(take);
	const text = lines.flatMap((line) => (line === undefined ? [] : [line + end])).join("");
	return result(text, errors, errors === "" ? 0 : 1);
});

function rangesOf(list: string): [number, number][] | undefined {
	const ranges: [number, number][] = [];
	for (const part of list.split(/[, ]/)) {
		const match = /^(\d*)(-?)(\d*)$/.exec(part);
		if (!match || part === "" || part === "-") return undefined;
		const [, first, dash, last] = match;
		const from = first ? Number(first) : 1;
		const open = last ? Number(last) : Number.POSITIVE_INFINITY;
		const to = dash ? open : from;
		if (from < 1 || to < from) return undefined;
		ranges.push([from, to]);
	}
	return ranges;
}

/** Fields are put together again as they were; characters touch. */
const delimiterOf = (mode: string, delimiter: string): string => (mode === "f" ? delimiter : "");
