import type { ProgramOutcome } from "../runner/run-program";
import type { NetworkOutcome } from "../shared/runner-network";
import type { ProgramResult } from "../workspace/programs/run-program";

/** What the shell gets of a program that has run: its output, with what there is to say about its end behind its errors. */
export function resultOf(name: string, { stdout, stderr, end, changes }: ProgramOutcome): ProgramResult {
	const notes = [
		end.endedBy === "timeout" && `${name} was ended: its time was over.`,
		end.endedBy === "output_limit" && `${name} was ended: it printed without end.`,
		end.endedBy === "memory_limit" && `${name} was ended: it used more memory than resources.maxMemoryMb allows.`,
		end.signal !== undefined && end.endedBy === undefined && `${name} was ended by ${end.signal}.`,
		end.droppedStdoutBytes > 0 && `${end.droppedStdoutBytes} bytes of what ${name} printed are left out.`,
		end.droppedStderrBytes > 0 && `${end.droppedStderrBytes} bytes of its errors are left out.`,
		end.backend === "none" && "No sandbox was in force (sandbox.required is off).",
		...(end.network ? networkNotes(name, end.network) : []),
		...changes.skipped.map(({ path, reason }) => `${path} was not kept: ${reason}.`),
	].filter((note) => note !== false);
	const said = new TextEncoder().encode(notes.map((note) => `runner: ${note}\n`).join(""));
	const whole = new Uint8Array(stderr.length + said.length);
	whole.set(stderr);
	whole.set(said, stderr.length);
	return { stdout, stderr: whole, exitCode: end.exitCode ?? 128 + (signalNumbers[end.signal ?? ""] ?? 0) };
}

const signalNumbers: Readonly<Record<string, number>> = {
	SIGHUP: 1,
	SIGINT: 2,
	SIGQUIT: 3,
	SIGILL: 4,
	SIGTRAP: 5,
	SIGABRT: 6,
	SIGBUS: 7,
	SIGFPE: 8,
	SIGKILL: 9,
	SIGSEGV: 11,
	SIGPIPE: 13,
	SIGALRM: 14,
	SIGTERM: 15,
	SIGXCPU: 24,
	SIGXFSZ: 25,
	SIGSYS: 31,
};

const networkNotes = (name: string, network: NetworkOutcome): string[] =>
	"unavailable" in network ? [`${name} had no network. ${network.unavailable}`] : network.refusals;
