import { own, result, stdinOf, toBytes } from "./own";

/** Shows the variables that a command is given, or runs one with others. */
export const env = own("env", async (args, context) => {
	const variables = new Map(Object.entries(context.exportedEnv ?? {}));
	let index = 0;
	for (; index < args.length; index++) {
		const word = args[index] ?? "";
		if (word === "-i" || word === "-" || word === "--ignore-environment") variables.clear();
		else if (word === "-u" || word === "--unset") variables.delete(args[++index] ?? "");
		else if (word.startsWith("--unset=")) variables.delete(word.slice("--unset=".length));
		else if (word === "--") {
			index++;
			break;
		} else if (word.startsWith("-")) return result("", `env: invalid option -- '${word.replace(/^-+/, "")}'\n`, 125);
		else break;
	}
	for (; index < args.length; index++) {
		const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(args[index] ?? "") ?? [];
		if (name === undefined || value === undefined) break;
		variables.set(name, value);
	}
	const [command, ...rest] = args.slice(index);
	if (command === undefined)
		return result(toBytes([...variables].map(([name, value]) => `${name}=${value}\n`).join("")));
	// Assignments before the name export what they set; a name that cannot stand there is no variable of a shell either.
	const set = [...variables].filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
	const script = [...set.map(([name, value]) => `${name}=${quoted(value)}`), quoted(command)].join(" ");
	const options = { cwd: context.cwd, env: {}, replaceEnv: true, args: rest };
	const run = await context.exec?.(script, { ...options, stdin: stdinOf(context), stdinKind: "bytes" });
	return run ?? result("", "", 126);
});

export const printenv = own("printenv", async (args, { exportedEnv = {} }) => {
	const names = args.filter((word) => !word.startsWith("-"));
	const end = args.includes("-0") ? "\0" : "\n";
	if (names.length === 0) {
		return result(
			toBytes(
				Object.entries(exportedEnv)
					.map(([name, value]) => `${name}=${value}${end}`)
					.join(""),
			),
		);
	}
	const found = names.flatMap((name) => exportedEnv[name] ?? []);
	return result(toBytes(found.map((value) => value + end).join("")), "", found.length === names.length ? 0 : 1);
});

/** A word that the shell reads as it is. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
