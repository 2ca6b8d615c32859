import { fromBase64 } from "../lib/hash";
import { readLines } from "../lib/read-lines";
import type { ProgramEnd } from "../shared/runner";
import { type MirrorChanges, missingChunks } from "../shared/runner-mirrors";
import { type ProgramFrame, type ProgramRequest, programFrame } from "../shared/runner-programs";
import { askRunner, RunnerLost, type RunnerPort, RunnerRefused } from "./port";

/** Of one frame: output comes in pieces, and the last one names every changed file. */
const maxFrameChars = 64_000_000;
/** Two may be needed when the runner is replaced between the sending and the asking. */
const maxAttempts = 3;

export interface ProgramOutcome {
	readonly stdout: Uint8Array;
	readonly stderr: Uint8Array;
	readonly end: ProgramEnd;
	readonly changes: MirrorChanges;
}

export interface ProgramOptions {
	readonly request: ProgramRequest;
	readonly stdin: Uint8Array<ArrayBuffer>;
	/** Brings chunks to the mirror that it lacks; resolves when they are there. */
	send(missing: readonly string[]): Promise<void>;
	readonly signal: AbortSignal;
}

/**
 * Runs a program on the runner over a mirror of files, which it first brings up to date. Throws `RunnerRefused` when it was never
 * started and `RunnerLost` when its end is unknown; aborting `signal` ends it.
 */
export async function runProgram(port: RunnerPort, options: ProgramOptions): Promise<ProgramOutcome> {
	const { request, stdin, signal } = options;
	const header = new TextEncoder().encode(`${JSON.stringify(request)}\n`);
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		const body = new Blob([header, stdin]);
		const response = await askRunner(port, "/programs", { method: "POST", body, signal, expected: [409] });
		if (response.status !== 409) return await outcomeOf(response);
		const { missing } = missingChunks.parse(await response.json());
		await options.send(missing);
	}
	throw new RunnerLost("it asked for the same files again and again");
}

async function outcomeOf(response: Response): Promise<ProgramOutcome> {
	const streams = { stdout: [] as Uint8Array<ArrayBuffer>[], stderr: [] as Uint8Array<ArrayBuffer>[] };
	for await (const frame of framesOf(response)) {
		if (frame.type === "failed") throw new RunnerRefused(frame);
		if (frame.type === "stdout" || frame.type === "stderr") {
			streams[frame.type].push(fromBase64(frame.data));
		}
		if (frame.type === "ended") {
			const { end, changes } = frame;
			return { stdout: await joined(streams.stdout), stderr: await joined(streams.stderr), end, changes };
		}
	}
	throw new RunnerLost("its answer ended early");
}

async function* framesOf(response: Response): AsyncGenerator<ProgramFrame> {
	if (!response.body) return;
	try {
		for await (const line of readLines(response.body, { maxChars: maxFrameChars })) {
			yield programFrame.parse(JSON.parse(line));
		}
	} catch (error) {
		throw new RunnerLost("its answer broke off", { cause: error });
	}
}

const joined = async (pieces: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> =>
	new Uint8Array(await new Blob(pieces).arrayBuffer());
