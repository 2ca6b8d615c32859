import * as z from "zod";
import { defineAlias } from "../tool";
import { shell } from "./shell";

const input = z.object({ command: z.string().describe("The command line.") });
const map = ({ command }: z.output<typeof input>) => ({ command, cwd: "." });

export const executeCommand = defineAlias(shell, { name: "execute_command", input, map });

export const executeCommandByFunction = defineAlias(shell, { name: "executeCommand", input, map });
