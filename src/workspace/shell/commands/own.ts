import type { Command, ExecResult, ResolvedCommandContext } from "just-bash/browser";
import { bytesOf, charactersOf } from "../encoding";

/** A command of ours. Texts that pass through it are byte strings: each character is one byte. */
export const own = (
	name: string,
	run: (args: readonly string[], context: ResolvedCommandContext) => Promise<ExecResult>,
) => ({ name, execute: run }) satisfies Command;

export const result = (stdout: string, stderr = "", exitCode = 0): ExecResult => ({
	stdout,
	stderr,
	exitCode,
	stdoutKind: "bytes",
	stdoutEncoding: "binary",
});

export const usageError = (name: string, message: string, exitCode = 1): ExecResult =>
	result("", `${name}: ${message}\nTry '${name} --help' for more information.\n`, exitCode);

export const toBytes = (text: string): string => charactersOf(new TextEncoder().encode(text));

/** The text that a byte string holds in UTF-8. */
export const fromBytes = (bytes: string): string =>
	isAscii(bytes) ? bytes : new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytesOf(bytes));

const isAscii = (bytes: string): boolean => !/[\u0080-\u00ff]/.test(bytes);

export const stdinOf = (context: ResolvedCommandContext): string => String(context.stdin);

export const pathOf = ({ fs, cwd }: ResolvedCommandContext, operand: string): string => fs.resolvePath(cwd, operand);

export interface Input {
	/** As it was written; `-` for standard input. */
	readonly name: string;
	readonly content: string;
}

/** Reads the files that a command names, or its standard input when it names none; what cannot be read is told and left out. */
export async function readInputs(
	command: string,
	operands: readonly string[],
	context: ResolvedCommandContext,
): Promise<{ inputs: Input[]; errors: string }> {
	const inputs: Input[] = [];
	let errors = "";
	for (const name of operands.length > 0 ? operands : ["-"]) {
		try {
			inputs.push({ name, content: name === "-" ? stdinOf(context) : await readBytes(context, name) });
		} catch (error) {
			errors += `${command}: ${name}: ${reasonOf(error)}\n`;
		}
	}
	return { inputs, errors };
}

export const readBytes = async (context: ResolvedCommandContext, operand: string): Promise<string> =>
	charactersOf(await context.fs.readFileBuffer(pathOf(context, operand)));

/** Lines without their ends; a last line without one is a line too. */
export function linesOf(text: string, end = "\n"): string[] {
	const lines = text.split(end);
	if (lines.at(-1) === "") lines.pop();
	return lines;
}

const reasons: Readonly<Record<string, string>> = {
	ENOENT: "No such file or directory",
	ENOTDIR: "Not a directory",
	EISDIR: "Is a directory",
	EACCES: "Permission denied",
	EEXIST: "File exists",
	ENOTEMPTY: "Directory not empty",
	EROFS: "Read-only file system",
	EDQUOT: "Disk quota exceeded",
	EFBIG: "File too large",
	ELOOP: "Too many levels of symbolic links",
	ENAMETOOLONG: "File name too long",
	EINVAL: "Invalid argument",
	EPERM: "Operation not permitted",
};

/** What went wrong with a file, in the system's words. */
export function reasonOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return reasons[message.slice(0, message.indexOf(":"))] ?? message;
}
