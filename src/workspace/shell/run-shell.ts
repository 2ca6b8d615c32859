import type { GatedFetch } from "../../gates/gated-fetch";
import { readShellList } from "../../gates/shell-list";
import type { PolicyAction } from "../../shared/policy";
import type { FileSystem } from "../file-system";
import type { RunProgram } from "../programs/run-program";
import { refusalOf } from "../refusal";
import type { FileRefusal } from "../reply";
import type { ShellCall, ShellOutcome } from "../shell-call";
import { CommandTable, commandsOf, forgetOldFolder, installTable } from "./command-table";
import { withOurCommands } from "./commands";
import { Devices, type StreamDevices } from "./devices";
import { environmentOf } from "./environment";
import { fileCalls } from "./file-calls";
import { governed } from "./governed";
import { judgeCommandLine } from "./judge-command-line";
import { keepEnd } from "./keep-end";
import { executionLimits, limitIn, maxKeptBytes, maxSteps, overLimit } from "./limits";
import { endAtLongRanges } from "./long-ranges";
import { Lookup } from "./lookup";
import { secureFetch } from "./network";
import { programCommands } from "./program-command";
import { Redirections } from "./redirections";
import { resolveText } from "./resolve-text";
import { Run, RunEnded } from "./run";
import { shellFiles } from "./shell-files";
import { splitNames } from "./split-names";

export interface ShellOptions {
	/** Guarded, and over a layer that the caller commits or drops. */
	readonly files: FileSystem;
	readonly call: ShellCall;
	/** The entries of the SHELL list. */
	readonly listed: readonly string[];
	/** What the policy says of programs that run other programs. */
	readonly interpreters: PolicyAction;
	/** Runs what is listed and not built in. */
	readonly runProgram: RunProgram;
	/** Where relative paths begin, and a call that names no folder. */
	readonly home: string;
	readonly fetch: GatedFetch;
	readonly signal: AbortSignal;
	/** Ends before a request that may change something at the other end. */
	beforeEffect(): Promise<void>;
	/** Runs a call of the file system, loading documents where it needs them. */
	read<Result>(run: () => Result): Promise<Result>;
}

export type ShellReply =
	| { readonly ok: true; readonly outcome: Omit<ShellOutcome, "changed" | "backend" | "reached"> }
	| ({ readonly ok: false } & FileRefusal);

/**
 * Runs a command line in the virtual shell. A refusal means that the caller is to drop what was changed: an unlisted command,
 * a limit, the deadline. Whatever else goes wrong inside is the exit code of the line.
 */
export async function runShell(options: ShellOptions): Promise<ShellReply> {
	const { call, signal } = options;
	const refusal = judgeCommandLine(call.command);
	if (refusal) return { ok: false, ...refusal };
	if (options.listed.length === 0) return { ok: false, ...emptyList };
	const run = new Run({ timeoutMs: call.timeoutMs, signal });
	try {
		const place = await folderOf(options);
		if (!place.ok) return place;
		return await runIn(place.cwd, run, options);
	} finally {
		run.close();
	}
}

/** Without it, redirections alone could still write files. */
const emptyList: FileRefusal = {
	code: "not_listed",
	reason: "command_not_allowed",
	message: "The SHELL list is empty, so no command line is run.",
	retryable: false,
	gate: true,
};

async function folderOf({ files, call, home, read }: ShellOptions) {
	const cwd = resolveText(home, call.cwd ?? ".");
	try {
		const { kind } = await read(() => files.stat(cwd));
		if (kind === "directory") return { ok: true, cwd } as const;
		return { ok: false, ...notAFolder(cwd) } as const;
	} catch (error) {
		const refusal = refusalOf(error);
		if (refusal === undefined) throw error;
		return { ok: false, ...refusal } as const;
	}
}

const notAFolder = (cwd: string): FileRefusal => ({
	code: "invalid_arguments",
	reason: "ENOTDIR",
	message: `${cwd} is not a directory, so no command can run there.`,
	retryable: false,
	gate: false,
});

async function runIn(cwd: string, run: Run, options: ShellOptions): Promise<ShellReply> {
	const { bash, calls, redirections } = await openShell(cwd, run, options);
	const exec = bash.exec(options.call.command, { rawScript: true, signal: run.signal });
	const result = await Promise.race([exec.catch(broken), run.abandoned]);
	run.throwFailure();
	const limit = result && limitIn(result);
	if (limit !== undefined) run.end(overLimit(limit));
	if (run.refusal) return { ok: false, ...run.refusal };
	if (result === undefined) throw new RunEnded();
	const stdout = keepEnd(result.stdout, maxKeptBytes);
	const untold = redirections.untold.join("");
	const stderr = keepEnd(result.stderr + untold + notes(calls.refusals), maxKeptBytes);
	return {
		ok: true,
		outcome: {
			exitCode: result.exitCode === 0 && untold !== "" ? 1 : result.exitCode,
			stdout: stdout.text,
			stderr: stderr.text,
			droppedStdoutBytes: stdout.droppedBytes,
			droppedStderrBytes: stderr.droppedBytes,
		},
	};
}

/** What just-bash throws, where it should have made it the error of a command. */
const broken = (error: unknown) => ({
	stdout: "",
	stderr: `bash: ${error instanceof Error ? error.message : String(error)}\n`,
	exitCode: 1,
});

/** just-bash's commands shorten what went wrong with a file, so the gate's own sentences come at the end. */
const notes = (refusals: ReadonlySet<string>): string => [...refusals].map((sentence) => `${sentence}\n`).join("");

async function openShell(cwd: string, run: Run, options: ShellOptions) {
	const { files, home, fetch, beforeEffect, read } = options;
	const { Bash } = await import("just-bash/browser");
	const calls = fileCalls(run, read);
	const devices = new Devices();
	const listed = readShellList(options.listed);
	const redirections = new Redirections(shellFiles(files, devices, calls.call));
	const lookup = new Lookup(redirections.files, (name) => listed.names.has(name));
	const bash = new Bash({
		fs: lookup.files,
		cwd,
		env: environmentOf(home),
		executionLimits,
		fetch: secureFetch(fetch, beforeEffect),
		sleep: (ms) => run.sleep(ms),
		// It changes globals of the whole process, which this one shares with everything else that the Worker does.
		defenseInDepth: false,
		coverage: stepCounter(run, redirections, lookup),
	});
	forgetOldFolder(bash);
	splitNames(bash);
	endAtLongRanges(bash, run);
	const filesFor = (streams: StreamDevices) => shellFiles(files, devices.with(streams), calls.call);
	const available = new Map(
		[...withOurCommands(commandsOf(bash))].map(([name, command]) => [name, governed(command, run, filesFor)]),
	);
	const program = programCommands({ ...options, listed, run });
	installTable(bash, new CommandTable({ run, lookup, redirections, listed: listed.names, available, program }));
	return { bash, calls, redirections };
}

/** just-bash tells of each command and expression before it does it: what never waits is ended here. */
function stepCounter(run: Run, redirections: Redirections, lookup: Lookup) {
	let steps = 0;
	return {
		hit(feature: string) {
			if (feature.startsWith("bash:cmd:")) redirections.forget();
			lookup.hear(feature);
			steps++;
			if (steps > maxSteps) run.end(overLimit(`more than ${maxSteps} steps`));
			if (steps % 256 === 0) run.tick();
			else run.check();
		},
	};
}
