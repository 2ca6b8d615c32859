import { own, result } from "./own";

/** Tells where the commands of the table are; there are no others. */
export const which = own("which", async (args, context) => {
	const names = args.filter((word) => !word.startsWith("-"));
	const known = new Set(context.getRegisteredCommands?.());
	const found = names.filter((name) => known.has(name));
	const isQuiet = args.includes("-s");
	const text = isQuiet ? "" : found.map((name) => `/usr/bin/${name}\n`).join("");
	return result(text, "", names.length > 0 && found.length === names.length ? 0 : 1);
});
