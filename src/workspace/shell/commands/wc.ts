import { readOptions } from "./options";
import { fromBytes, own, readInputs, result, usageError } from "./own";

const columns = "lwmcL";

/** Counts lines, words, characters and bytes. */
export const wc = own("wc", async (args, context) => {
	const read = readOptions(args, {
		flags: columns,
		long: { lines: "l", words: "w", chars: "m", bytes: "c", "max-line-length": "L" },
	});
	if (!read.ok) return usageError("wc", read.message);
	const { options } = read;
	const asked = [...columns].filter((letter) => options.has(letter));
	const shown = asked.length > 0 ? asked : ["l", "w", "c"];
	const { inputs, errors } = await readInputs("wc", options.operands, context);
	const counted = inputs.map(({ name, content }) => ({
		name,
		size: content.length,
		counts: shown.map((one) => count(one, content)),
	}));
	const totals = shown.map((letter, index) =>
		counted.reduce(
			(sum, { counts }) => (letter === "L" ? Math.max(sum, counts[index] ?? 0) : sum + (counts[index] ?? 0)),
			0,
		),
	);
	const rows = counted.map(({ name, counts }) => ({ counts, name: options.operands.length > 0 ? name : "" }));
	if (options.operands.length > 1) rows.push({ counts: totals, name: "total" });
	const width = columnWidth(shown.length, options.operands, counted);
	const lines = rows.map(({ counts, name }) => {
		const numbers = counts.map((one) => String(one).padStart(width)).join(" ");
		return `${numbers}${name === "" ? "" : ` ${name}`}\n`;
	});
	return result(lines.join(""), errors, errors === "" ? 0 : 1);
});

/** One at a time: a list of all lines or words is many times as large as the content. */
function count(letter: string, content: string): number {
	if (letter === "c") return content.length;
	if (letter === "m") return countAll(content, /[^\x80-\xbf]/g);
	if (letter === "l") return countAll(content, /\n/g);
	if (letter === "w") return countAll(content, /[^ \t\n\v\f\r]+/g);
	let longest = 0;
	for (const [line] of content.matchAll(/[^\n]+/g)) longest = Math.max(longest, [...fromBytes(line)].length);
	return longest;
}

function countAll(content: string, one: RegExp): number {
	let found = 0;
	for (const _ of content.matchAll(one)) found++;
	return found;
}

/** As wide as the sum of the sizes needs; 7 where a size is not known, and 1 for a single number. */
function columnWidth(columnCount: number, operands: readonly string[], counted: readonly { size: number }[]): number {
	if (columnCount === 1 && operands.length <= 1) return 1;
	if (operands.length === 0 || operands.includes("-")) return 7;
	return String(counted.reduce((sum, { size }) => sum + size, 0)).length;
}
