import { utf8Length } from "../../lib/text";
import { unseen } from "../../shared/names";
import type { FileRefusal } from "../reply";
import { maxCommandBytes } from "./limits";

/** What must not be in a command line at all, before anything of it is read: the refusal, if any. */
export function judgeCommandLine(command: string): FileRefusal | undefined {
	if (utf8Length(command) > maxCommandBytes) {
		return refused(
			"command_too_long",
			`A command line is at most ${maxCommandBytes} bytes. Put the script into a file.`,
		);
	}
	const forbidden = /[^\P{Cc}\t\n]/u.exec(command) ?? unseen.exec(command);
	if (forbidden) {
		const name = codePoint(forbidden[0]);
		return refused(
			"forbidden_char",
			`The command line has the character ${name} at position ${forbidden.index + 1}. Use only characters that can be seen, tab and newline.`,
		);
	}
	const hasWords = command.split("\n").some((line) => !/^[ \t]*(#|$)/.test(line));
	return hasWords ? undefined : refused("empty_command", "There is no command in the command line.");
}

const codePoint = (character: string): string =>
	`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const refused = (reason: string, message: string): FileRefusal => ({
	code: "invalid_arguments",
	reason,
	message,
	retryable: true,
	gate: true,
});
