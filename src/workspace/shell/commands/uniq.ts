import { bytesOf } from "../encoding";
import { readOptions } from "./options";
import { linesOf, own, pathOf, readInputs, result, usageError } from "./own";

/** Joins equal lines that follow one another. */
export const uniq = own("uniq", async (args, context) => {
	const read = readOptions(args, {
		flags: "cdDuiz",
		valued: "fsw",
		long: {
			count: "c",
			repeated: "d",
			unique: "u",
			"ignore-case": "i",
			"skip-fields": "f",
			"skip-chars": "s",
			"check-chars": "w",
			"zero-terminated": "z",
		},
	});
	if (!read.ok) return usageError("uniq", read.message);
	const { options } = read;
	const [source = "-", target] = options.operands;
	const { inputs, errors } = await readInputs("uniq", [source], context);
	if (errors !== "") return result("", errors, 1);
	const end = options.has("z") ? "\0" : "\n";
	const keyOf = (line: string) => {
		const key = withoutFields(line, Number(options.value("f") ?? 0))
			.slice(Number(options.value("s") ?? 0))
			.slice(0, Number(options.value("w") ?? line.length));
		return options.has("i") ? key.toLowerCase() : key;
	};
	const groups: { key: string; lines: string[] }[] = [];
	for (const line of linesOf(inputs[0]?.content ?? "", end)) {
		const key = keyOf(line);
		const last = groups.at(-1);
		if (last?.key === key) last.lines.push(line);
		else groups.push({ key, lines: [line] });
	}
	const wanted = groups.filter(({ lines }) => {
		if (options.has("d") || options.has("D")) return lines.length > 1 && !options.has("u");
		return !options.has("u") || lines.length === 1;
	});
	const shown = wanted.flatMap(({ lines }) => {
		if (options.has("D")) return lines;
		return [`${options.has("c") ? `${String(lines.length).padStart(7)} ` : ""}${lines[0]}`];
	});
	const text = shown.map((line) => line + end).join("");
	if (target === undefined) return result(text);
	await context.fs.writeFile(pathOf(context, target), bytesOf(text));
	return result("");
});

function withoutFields(line: string, count: number): string {
	let rest = line;
	for (let field = 0; field < count; field++) rest = rest.replace(/^[ \t]*[^ \t]*/, "");
	return rest;
}
