export interface Options {
	/** How often a flag was given. */
	has(letter: string): boolean;
	/** The last value given. */
	value(letter: string): string | undefined;
	values(letter: string): readonly string[];
	/** What was given of some letters, in order, each with its value. */
	given(letters: string): readonly (readonly [string, string])[];
	readonly operands: readonly string[];
}

export interface OptionSpec {
	/** Letters without a value. */
	readonly flags: string;
	/** Letters with one. */
	readonly valued?: string;
	/** Long names, and the letter each is another word for. */
	readonly long?: Readonly<Record<string, string>>;
	/** Operands end the options, as for a command that runs another. */
	readonly stopsAtOperand?: boolean;
}

/** Reads options as getopt_long does: bundled letters, values attached or in the next word, `--` as the end. */
export function readOptions(
	args: readonly string[],
	{ flags, valued = "", long = {}, stopsAtOperand = false }: OptionSpec,
): { ok: true; options: Options } | { ok: false; message: string } {
	const given: [string, string][] = [];
	const operands: string[] = [];
	for (let index = 0; index < args.length; index++) {
		const word = args[index] ?? "";
		if (word === "--" || (stopsAtOperand && (word === "-" || !word.startsWith("-")))) {
			operands.push(...args.slice(word === "--" ? index + 1 : index));
			break;
		}
		if (word === "-" || !word.startsWith("-")) {
			operands.push(word);
			continue;
		}
		if (word.startsWith("--")) {
			const [name = "", attached] = splitOnce(word.slice(2), "=");
			const letter = longLetter(name, long);
			if (letter === undefined) return { ok: false, message: `unrecognized option '${word}'` };
			const value = valued.includes(letter) ? (attached ?? args[++index]) : (attached ?? "");
			if (value === undefined) return { ok: false, message: `option '--${name}' requires an argument` };
			given.push([letter, value]);
			continue;
		}
		for (let at = 1; at < word.length; at++) {
			const letter = word.charAt(at);
			if (valued.includes(letter)) {
				const value = at + 1 < word.length ? word.slice(at + 1) : args[++index];
				if (value === undefined) return { ok: false, message: `option requires an argument -- '${letter}'` };
				given.push([letter, value]);
				break;
			}
			if (!flags.includes(letter)) return { ok: false, message: `invalid option -- '${letter}'` };
			given.push([letter, ""]);
		}
	}
	const values = (letter: string) => given.filter(([name]) => name === letter).map(([, value]) => value);
	return {
		ok: true,
		options: {
			operands,
			values,
			has: (letter) => values(letter).length > 0,
			value: (letter) => values(letter).at(-1),
			given: (letters) => given.filter(([letter]) => letters.includes(letter)),
		},
	};
}

/** Long names may be cut as long as one is meant. */
function longLetter(name: string, long: Readonly<Record<string, string>>): string | undefined {
	if (Object.hasOwn(long, name)) return long[name];
	const meant = new Set(
		Object.keys(long)
			.filter((known) => known.startsWith(name))
			.map((known) => long[known]),
	);
	return meant.size === 1 ? [...meant][0] : undefined;
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
	const at = text.indexOf(mark);
	return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}
