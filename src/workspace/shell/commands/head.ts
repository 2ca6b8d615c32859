import { readOptions } from "./options";
import { own, readInputs, result, usageError } from "./own";

/** The beginning of files: `-n` lines or `-c` bytes, or all but so many when the number is negative. */
export const head = own("head", async (args, context) => {
	const read = readOptions([...args.slice(0, 1).map(plainNumber), ...args.slice(1)], {
		flags: "qvz",
		valued: "nc",
		long: { lines: "n", bytes: "c", quiet: "q", silent: "q", verbose: "v", "zero-terminated": "z" },
	});
	if (!read.ok) return usageError("head", read.message);
	const { options } = read;
	const isBytes = options.has("c");
	const asked = options.value(isBytes ? "c" : "n") ?? "10";
	const count = countOf(asked);
	if (count === undefined) return result("", `head: invalid number of ${isBytes ? "bytes" : "lines"}: '${asked}'\n`, 1);
	const end = options.has("z") ? "\0" : "\n";
	const { inputs, errors } = await readInputs("head", options.operands, context);
	const isNamed = options.has("v") || (options.operands.length > 1 && !options.has("q"));
	const parts = inputs.map(({ name, content }) => {
		const title = isNamed ? `==> ${name === "-" ? "standard input" : name} <==\n` : "";
		return title + (isBytes ? content.slice(0, count) : firstLines(content, count, end));
	});
	return result(parts.join(isNamed ? "\n" : ""), errors, errors === "" ? 0 : 1);
});

/** `-5` is `-n5`. */
const plainNumber = (word: string): string => (/^-\d+$/.test(word) ? `-n${word.slice(1)}` : word);

const factors: Readonly<Record<string, number>> = { "": 1, b: 512, k: 1_024, K: 1_024, M: 1_048_576, G: 1_073_741_824 };

function countOf(text: string): number | undefined {
	const match = /^([+-]?\d+)([bkKMG]?)$/.exec(text);
	return match ? Number(match[1]) * (factors[match[2] ?? ""] ?? 1) : undefined;
}

function firstLines(content: string, count: number, end: string): string {
	const lines = content.split(end).map((line, index, all) => (index < all.length - 1 ? line + end : line));
	if (lines.at(-1) === "") lines.pop();
	return lines.slice(0, count).join("");
}
