import type { Command } from "just-bash/browser";

/** A command of just-bash that is given other words than were written, so that it does what the real one would with those. */
export const rewritten = (command: Command, rewrite: (args: readonly string[]) => string[]): Command => ({
	name: command.name,
	execute: (args, context) => command.execute(rewrite(args), context),
});

const timeStamp = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/;

/** touch's `-t [CC]YYMMDDhhmm[.ss]` as the `-d` that just-bash knows. */
export function touchWords(args: readonly string[]): string[] {
	return args.flatMap((word, index) => {
		const match = args[index - 1] === "-t" ? timeStamp.exec(word) : null;
		if (word === "-t" && timeStamp.test(args[index + 1] ?? "")) return ["-d"];
		if (!match) return [word];
		const [, year, month, day, hour, minute, second = "00"] = match;
		return [`${year}-${month}-${day}T${hour}:${minute}:${second}Z`];
	});
}

/** awk's programs with what just-bash misreads written out: an element that is only named, and a file name of several parts. */
export const awkWords = (args: readonly string[]): string[] =>
	args.map((word) => word.replace(namedElement, "$1$2=$2").replace(joinedFile, "$1($2)"));

/** `seen[$1]` as a statement, which makes the element. */
const namedElement = /([{;]\s*)([A-Za-z_]\w*\[(?:[^\][";{}]|"[^"\n]*")+\])(?=\s*[;}])/g;

/** `print > $1 ".txt"`: strings, fields and names side by side, with nothing that compares. */
const joinedFile =
	/(\bprintf?\b(?:[^;{}"\n>]|"(?:[^"\\\n]|\\.)*")*>>?\s*)((?:"(?:[^"\\\n]|\\.)*"|\$?\w+)(?:\s*(?:"(?:[^"\\\n]|\\.)*"|\$\w+|\b[A-Za-z_]\w*))+)(?=\s*[;}\n]|\s*$)/g;
