import * as z from "zod";
import { defineAlias } from "../tool";
import { shell } from "./shell";

const description = `
	Run a command line in the workspace, in a bash that is built in: pipes, redirections, &&, loops, functions,
	substitutions, here-documents and globs work; there are no background jobs and no programs but those listed here.
	Answers the exit code and the last 8 KiB of stdout and stderr. When a command is refused or time runs out, no file has
	changed.`;
const input = z.object({ command: z.string().describe("The command line.") });
const map = ({ command }: z.output<typeof input>) => ({ command, cwd: "." });

export const executeCommand = defineAlias(shell, { name: "execute_command", description, input, map });

export const executeCommandByFunction = defineAlias(shell, { name: "executeCommand", description, input, map });
