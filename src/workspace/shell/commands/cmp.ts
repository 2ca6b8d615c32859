import { readOptions } from "./options";
import { own, readInputs, result, usageError } from "./own";

/** Compares two files byte by byte. */
export const cmp = own("cmp", async (args, context) => {
	const read = readOptions(args, { flags: "sl", long: { silent: "s", quiet: "s", verbose: "l" } });
	if (!read.ok) return usageError("cmp", read.message, 2);
	const { options } = read;
	const [first, second = "-"] = options.operands;
	if (first === undefined) return usageError("cmp", "missing operand after 'cmp'", 2);
	const { inputs, errors } = await readInputs("cmp", [first, second], context);
	const [one, other] = inputs;
	if (one === undefined || other === undefined) return result("", options.has("s") ? "" : errors, 2);
	const shared = Math.min(one.content.length, other.content.length);
	let at = 0;
	while (at < shared && one.content[at] === other.content[at]) at++;
	if (at === shared && one.content.length === other.content.length) return result("");
	if (options.has("s")) return result("", "", 1);
	const line = one.content.slice(0, at).split("\n").length;
	if (at < shared) return result(`${first} ${second} differ: byte ${at + 1}, line ${line}\n`, "", 1);
	const shorter = one.content.length < other.content.length ? first : second;
	return result("", `cmp: EOF on ${shorter} after byte ${at}, in line ${line - 1}\n`, 1);
});
