import * as z from "zod";
import { directoryArgument } from "../files/arguments";
import { refusedResult } from "../files/file-result";
import { clampedInteger, optional } from "../lenient";
import { defineTool } from "../tool";
import { commandLine } from "./command-line";
import { describeCommands } from "./describe-commands";
import { showOutcome } from "./show-outcome";

/** The longest that a call may ask for (X5). */
const maxSeconds = 60;

export const shell = defineTool({
	name: "shell",
	group: "shell",
	description: `
		Run a command line in the workspace, in a bash that is built in: pipes, redirections, &&, loops, functions,
		substitutions, here-documents and globs work; there are no background jobs and no programs but those listed here.
		Give either command, or executable with arguments, which are passed as they are. Answers the exit code and the last
		8 KiB of stdout and stderr. When a command is refused or time runs out, no file has changed.`,
	describe: describeCommands,
	input: z
		.object({
			command: optional(z.string()).describe("The command line."),
			executable: optional(z.string()).describe("A command by itself, in place of a command line."),
			arguments: optional(z.array(z.string()).max(1_000)).describe("The arguments of executable, unquoted."),
			cwd: directoryArgument("The directory to run in"),
			timeout_seconds: optional(clampedInteger(1, maxSeconds)).describe(
				`Seconds after which it is ended, 1 to ${maxSeconds}; a setting says how many when absent.`,
			),
		})
		.refine(({ command, executable }) => (command === undefined) !== (executable === undefined), {
			message: "Give either command or executable, not both and not neither.",
		})
		.refine((input) => input.arguments === undefined || input.executable !== undefined, {
			message: "arguments go with executable; a command line holds its own.",
		}),
	effects: "write",
	idempotent: true,
	toCanonical: ({ executable, arguments: args = [], ...input }) =>
		executable === undefined ? input : { ...input, command: commandLine(executable, args) },
	touches: ({ cwd }) => [{ list: "SHELL" }, { file: cwd, mode: "read" }],
	async execute({ files, artifacts, settings }, { command, executable, arguments: args = [], cwd, timeout_seconds }) {
		const reply = await files.shell({
			command: executable === undefined ? (command ?? "") : commandLine(executable, args),
			cwd,
			timeoutMs: (timeout_seconds ?? settings.shell.timeoutSeconds) * 1_000,
		});
		if (!reply.ok) return refusedResult(reply);
		return await showOutcome(reply, (text) => artifacts.keep(text));
	},
});
