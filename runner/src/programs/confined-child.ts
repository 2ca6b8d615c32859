import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import path from "node:path";
import type { Duplex, Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProgramLimits } from "../../../src/shared/runner";
import { findProgram } from "../sandbox/host";
import type { Command, Place, Sandbox, Wrapped } from "../sandbox/sandbox";
import { type Report, readReports } from "./launcher-reports";

/** Between the asking to end and the end. */
const graceMs = 2_000;

/** Between the end of a program and that of its launcher, when nobody reads what was written last. */
const lastWordsMs = 1_000;

export interface ChildEnd {
	/** Undefined when a signal ended it. */
	readonly exitCode?: number;
	readonly signal?: string;
	/** It and all that it started held more memory than they may. */
	readonly isOverMemory: boolean;
	readonly cpuMs: number;
	readonly peakMemoryBytes: number;
	readonly durationMs: number;
}

/** A program that runs in a sandbox. */
export interface ConfinedChild {
	readonly stdin: Writable;
	readonly stdout: Readable;
	readonly stderr: Readable;
	/** Resolves when the program and all that it started are gone. */
	readonly ended: Promise<ChildEnd>;
	/** Asks all of them to end, and ends them after a grace; at once with SIGKILL. Resolves when they are gone. */
	end(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** The program is not there, or is none; nothing was started. */
export class ProgramMissing extends Error {
	override readonly name = "ProgramMissing";
	constructor(program: string) {
		super(`The runner has no program ${program}.`);
	}
}

/** The sandbox could not be set up for this program; nothing was started. */
export class ProgramNotStarted extends Error {
	override readonly name = "ProgramNotStarted";
}

type Piped = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };

/** Starts a program and answers once it runs. Throws `ProgramMissing` or `ProgramNotStarted` when nothing was started. */
export async function startConfined(
	sandbox: Pick<Sandbox, "wrap">,
	command: Command,
	place: Place,
	limits: ProgramLimits,
): Promise<ConfinedChild> {
	const wrapped = sandbox.wrap(command, place, limits);
	const startedAt = performance.now();
	const child = spawn(wrapped.program, wrapped.args, {
		env: wrapped.env,
		cwd: "/",
		detached: true,
		stdio: ["pipe", "pipe", "pipe", ...(wrapped.isReported ? (["pipe"] as const) : [])],
	}) as Piped;
	// Who ends early leaves a broken pipe behind, which is no failure of the runner.
	for (const stream of child.stdio) stream?.on("error", () => {});
	const exited = exitOf(child);
	try {
		return wrapped.isReported
			? await reported(child, { exited, startedAt, wrapped, command })
			: await unreported(child, { exited, startedAt, wrapped, command });
	} catch (error) {
		wrapped.release();
		throw error;
	}
}

interface Start {
	readonly exited: Promise<Exit>;
	readonly startedAt: number;
	readonly wrapped: Wrapped;
	readonly command: Command;
}
interface Exit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

async function exitOf(child: ChildProcess): Promise<Exit> {
	const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
	return { code, signal };
}

async function reported(child: Piped, { exited, startedAt, wrapped, command }: Start): Promise<ConfinedChild> {
	const line = child.stdio[3] as Duplex;
	const reports = readReports(line);
	exited.catch(() => line.destroy());
	const first = (await reports.next()).value;
	if (!first || !("started" in first)) {
		const said = await saidBy(child);
		const end = (await reports.next()).value;
		await exited;
		throw notStarted(command, first, end ? said : said || "it said nothing.");
	}
	const ended = (async (): Promise<ChildEnd> => {
		const last = (await reports.next()).value;
		// All but the launcher is gone; it stays as long as output waits for a reader.
		await Promise.race([exited, sleep(lastWordsMs, undefined, { ref: false })]);
		wrapped.release();
		return endOf(last, performance.now() - startedAt);
	})();
	return {
		stdin: child.stdin,
		stdout: child.stdout,
		stderr: child.stderr,
		ended,
		async end(signal = "SIGTERM") {
			if (signal === "SIGTERM") {
				line.write("t");
				await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
			}
			line.write("k");
			await ended;
		},
	};
}

/** The launcher's last word; without one it was killed, and by how much it was used is not known. */
function endOf(last: Report | undefined, durationMs: number): ChildEnd {
	if (!last || !("cpuMs" in last)) {
		return { signal: "SIGKILL", isOverMemory: false, cpuMs: 0, peakMemoryBytes: 0, durationMs };
	}
	const { cpuMs, peakMemoryBytes, overMemory: isOverMemory } = last;
	const used = { isOverMemory, cpuMs, peakMemoryBytes, durationMs };
	return last.signal === undefined
		? { exitCode: last.exitCode ?? 0, ...used }
		: { signal: nameOf(last.signal), ...used };
}

const nameOf = (signal: number): string =>
	Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;

const { ENOENT, EACCES, ENOTDIR, ENOEXEC } = constants.errno;

function notStarted(command: Command, first: Report | undefined, said: string): Error {
	if (!first || !("failed" in first)) return new ProgramNotStarted(`The sandbox could not be set up: ${said}`);
	if (first.failed === "exec" && [ENOENT, EACCES, ENOTDIR, ENOEXEC].includes(first.errno)) {
		return new ProgramMissing(command.program);
	}
	const step =
		first.failed === "cwd" ? "The folder to start in cannot be entered" : `The launcher failed at ${first.failed}`;
	return new ProgramNotStarted(`${step} (${errorName(first.errno)}).`);
}

const errorName = (errno: number): string =>
	Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? String(errno);

const saidBy = async (child: Piped): Promise<string> => (await text(child.stderr)).trim().slice(0, 1_000);

/** Without the launcher the sandbox itself ends what it holds, and only its exit code is known. */
async function unreported(child: Piped, { exited, startedAt, wrapped, command }: Start): Promise<ConfinedChild> {
	if (!findProgram(command.program, command.env.PATH)) {
		child.kill("SIGKILL");
		throw new ProgramMissing(path.basename(command.program));
	}
	await once(child, "spawn");
	const ended = exited.then(({ code, signal }): ChildEnd => {
		wrapped.release();
		const used = { isOverMemory: false, cpuMs: 0, peakMemoryBytes: 0, durationMs: performance.now() - startedAt };
		return signal ? { signal, ...used } : { exitCode: code ?? 0, ...used };
	});
	return {
		stdin: child.stdin,
		stdout: child.stdout,
		stderr: child.stderr,
		ended,
		async end(signal = "SIGTERM") {
			child.kill(signal);
			if (signal === "SIGTERM") await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
			child.kill("SIGKILL");
			await ended;
		},
	};
}
