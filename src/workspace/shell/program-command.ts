import type { Command } from "just-bash/browser";
import { runsPrograms, type ShellList } from "../../gates/shell-list";
import type { PolicyAction } from "../../shared/policy";
import type { RunProgram } from "../programs/run-program";
import { refusalOf } from "../refusal";
import type { FileRefusal } from "../reply";
import { bytesOf, charactersOf } from "./encoding";
import { type Run, RunEnded } from "./run";

export interface ProgramCommandOptions {
	readonly listed: ShellList;
	readonly interpreters: PolicyAction;
	readonly runProgram: RunProgram;
	readonly run: Run;
}

/**
 * Commands that the runner runs. One that runs other programs must be marked so in the SHELL list and be allowed by the policy;
 * else, and where the runner cannot run it, the whole command line ends with nothing changed.
 */
export const programCommands =
	({ listed, interpreters, runProgram, run }: ProgramCommandOptions) =>
	(name: string): Command => ({
		name,
		async execute(args, { stdin, cwd, exportedEnv = {} }) {
			await run.step();
			const refusal = refusalFor(name, listed, interpreters);
			if (refusal) return endWith(run, refusal);
			try {
				const call = { name, args, stdin: new Uint8Array(bytesOf(String(stdin))), cwd, environment: exportedEnv };
				const { stdout, stderr, exitCode } = await runProgram(call, run.signal);
				return {
					stdout: charactersOf(stdout),
					stdoutKind: "bytes",
					stdoutEncoding: "binary",
					stderr: new TextDecoder().decode(stderr),
					exitCode,
				};
			} catch (error) {
				run.check();
				const known = refusalOf(error);
				if (known) return endWith(run, known);
				run.fail(error);
				throw new RunEnded();
			}
		},
	});

function endWith(run: Run, refusal: FileRefusal): never {
	run.end(refusal);
	throw new RunEnded();
}

function refusalFor(name: string, { interpreters: marked }: ShellList, policy: PolicyAction): FileRefusal | undefined {
	if (!marked.has(name)) return runsPrograms(name) ? unmarked(name) : undefined;
	if (policy === "allow") return undefined;
	return policy === "deny" ? denied(name) : unapproved(name);
}

const unmarked = (name: string): FileRefusal => ({
	code: "not_listed",
	reason: "interpreter_unmarked",
	message: `${JSON.stringify(name)} runs other programs, so its entry on the SHELL list must say so: "interpreter:${name}". Nothing was changed.`,
	retryable: false,
	gate: true,
});

const denied = (name: string): FileRefusal => ({
	code: "policy_denied",
	reason: "interpreter",
	message: `The policy denies interpreters, and ${JSON.stringify(name)} is one. Nothing was changed.`,
	retryable: false,
	gate: true,
});

const unapproved = (name: string): FileRefusal => ({
	code: "approval_required",
	reason: "interpreter",
	message: `${JSON.stringify(name)} runs other programs, which needs an approval. To allow it always, an administrator sets tools.interpreter to "allow" with PUT /api/v1/policy. Nothing was changed.`,
	retryable: false,
	gate: true,
});
