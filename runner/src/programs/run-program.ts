import { setTimeout as sleep } from "node:timers/promises";
import type { ProgramEnd, ProgramLimits } from "../../../src/shared/runner";
import type { Command, Place, Sandbox } from "../sandbox/sandbox";
import { type ConfinedChild, startConfined } from "./confined-child";
import { keepOutput } from "./kept-output";

/** Of each stream; later bytes are counted only. */
export const keptOutputBytes = 1_048_576;
/** Of each stream; who writes more is ended. */
const maxOutputBytes = 2 ** 30;
/** All processes are gone by then: only what lies in the pipes is to come, and what of the input nobody read. */
const drainMs = 2_000;

export interface ProgramRun {
	readonly sandbox: Sandbox;
	readonly command: Command;
	readonly place: Place;
	readonly limits: ProgramLimits;
	/** Standard input; what the program does not read is thrown away. */
	readonly stdin?: AsyncIterable<Uint8Array> | undefined;
	/** Ends the program when it aborts. */
	readonly signal: AbortSignal;
	readonly onStarted?: () => void;
	/** The beginning of each stream as it comes, 1 MB at most. */
	readonly onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
	/** For tests. */
	readonly maxOutputBytes?: number;
}

/**
 * Runs a program to its end and that of all that it started. Throws `ProgramMissing`, `ProgramNotStarted`, a Refusal, or the reason
 * of an aborted signal, when nothing was started; once it runs, whatever happens is told in the answer.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
	const { sandbox, command, place, limits, signal, onStarted, onOutput } = run;
	signal.throwIfAborted();
	const child = await startConfined(sandbox, command, place, limits);
	onStarted?.();
	let endedBy: ProgramEnd["endedBy"];
	const end = (reason: ProgramEnd["endedBy"]): void => {
		endedBy ??= reason;
		void child.end();
	};
	const keep = (name: "stdout" | "stderr") =>
		keepOutput(child[name], {
			keptBytes: keptOutputBytes,
			onKept: (bytes) => onOutput(name, bytes),
			mostBytes: run.maxOutputBytes ?? maxOutputBytes,
			onMost: () => end("output_limit"),
		});
	const streams = { stdout: keep("stdout"), stderr: keep("stderr") };
	const timer = setTimeout(() => end("timeout"), limits.timeoutMs);
	const cancel = (): void => end("cancelled");
	signal.addEventListener("abort", cancel, { once: true });
	if (signal.aborted) cancel();
	const fed = feed(child, run.stdin);
	const ended = await child.ended;
	clearTimeout(timer);
	signal.removeEventListener("abort", cancel);
	await drain(child, [streams.stdout.drained, streams.stderr.drained, fed]);
	if (ended.isOverMemory) endedBy ??= "memory_limit";
	return {
		...(ended.exitCode !== undefined && { exitCode: ended.exitCode }),
		...(ended.signal !== undefined && { signal: ended.signal }),
		...(endedBy && { endedBy }),
		durationMs: Math.round(ended.durationMs),
		cpuMs: ended.cpuMs,
		peakMemoryBytes: ended.peakMemoryBytes,
		droppedStdoutBytes: streams.stdout.droppedBytes(),
		droppedStderrBytes: streams.stderr.droppedBytes(),
		backend: sandbox.report.backend,
	};
}

/** Hands the input on at the program's own pace, and throws away what is left when it reads no more. Never throws. */
async function feed({ stdin, ended }: ConfinedChild, input: ProgramRun["stdin"]): Promise<void> {
	const closed = new Promise<void>((resolve) => stdin.once("close", resolve));
	const over = Promise.race([ended, closed]);
	let isOver = false;
	void over.then(() => {
		isOver = true;
	});
	try {
		for await (const bytes of input ?? []) {
			if (isOver || stdin.write(bytes)) continue;
			await Promise.race([new Promise<void>((resolve) => stdin.once("drain", resolve)), over]);
		}
	} catch {
		// The input broke off: the program sees its end.
	}
	stdin.end();
}

async function drain(child: ConfinedChild, drained: readonly Promise<void>[]): Promise<void> {
	const timer = new AbortController();
	const late = sleep(drainMs, undefined, { signal: timer.signal }).catch(() => {});
	await Promise.race([Promise.all(drained), late]);
	timer.abort();
	for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
