import * as z from "zod";
import { directoryArgument } from "../files/arguments";
import { refusedResult } from "../files/file-result";
import { optional } from "../lenient";
import { defineTool } from "../tool";
import { commandLine } from "./command-line";
import { needsRunner } from "./needs-runner";
import { showOutcome } from "./show-outcome";

const operations = ["status", "diff", "log", "branch", "commit", "pull", "push"] as const;

type Input = {
	readonly operation: (typeof operations)[number];
	readonly message?: string | undefined;
	readonly args?: readonly string[] | undefined;
};

/** What git is told. A commit takes in everything that has changed, unless its arguments name files. */
function lineFor({ operation, message, args = [] }: Input): string {
	if (operation !== "commit") return commandLine("git", [operation, ...defaults[operation], ...args]);
	const commit = commandLine("git", ["commit", "-m", message ?? "", ...args]);
	return args.length > 0 ? commit : `${commandLine("git", ["add", "--all"])} && ${commit}`;
}

/** A model wants less than a terminal does. */
const defaults = {
	status: ["--short", "--branch"],
	diff: [],
	log: ["--oneline", "-n", "20"],
	branch: ["--list", "--all"],
	pull: [],
	push: [],
} as const satisfies Record<Exclude<Input["operation"], "commit">, readonly string[]>;

export const gitOperations = defineTool({
	name: "git_operations",
	group: "shell",
	description: `
		Work with the git repository in the workspace: status, diff, log, branch, commit, pull or push. A commit takes in all
		changes, unless args name files. Hooks, filters and every setting that runs another program are switched off; a
		repository that asks for one is refused. Answers git's exit code and output.`,
	input: z
		.object({
			operation: z.enum(operations).describe("What to do."),
			message: optional(z.string().min(1).max(20_000)).describe("The message of a commit."),
			args: optional(z.array(z.string()).max(200)).describe("More arguments for git, such as file names or HEAD~1."),
			cwd: directoryArgument("The directory to run in"),
		})
		.refine(({ operation, message }) => operation !== "commit" || message !== undefined, {
			message: "A commit needs a message.",
		}),
	effects: "write",
	idempotent: true,
	toCanonical: ({ cwd, ...input }) => ({ command: lineFor(input), cwd }),
	unavailable: needsRunner,
	touches: ({ cwd }) => [{ command: "git" }, { file: cwd, mode: "read" }],
	async execute({ files, artifacts, settings }, { cwd, ...input }) {
		const timeoutMs = settings.shell.timeoutSeconds * 1_000;
		const reply = await files.shell({ command: lineFor(input), cwd, timeoutMs });
		if (!reply.ok) return refusedResult(reply);
		return await showOutcome(reply, (text) => artifacts.keep(text));
	},
});
