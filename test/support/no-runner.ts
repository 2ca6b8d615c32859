import type { RunnerPort } from "../../src/runner/port";
import type { RunProgram } from "../../src/workspace/programs/run-program";
import { Refused } from "../../src/workspace/refused";

/** What the door to the runner answers where there is none. */
export const noRunner: RunnerPort = {
	fetch: async () => Response.json({ code: "unreachable", message: "No runner is connected." }, { status: 503 }),
};

export const noProgram: RunProgram = async ({ name }) => {
	const message = `${name} needs the runner.`;
	throw new Refused({ code: "unavailable", reason: "needs_runner", message, retryable: true, gate: false });
};

const end = {
	exitCode: 0,
	durationMs: 1,
	cpuMs: 1,
	peakMemoryBytes: 1,
	droppedStdoutBytes: 0,
	droppedStderrBytes: 0,
	backend: "bubblewrap",
};
const changes = { revision: "1", removed: [], changed: [], skipped: [] };

/** What a runner answers to a program that said nothing, changed nothing and ended well. */
export const endedWell = (): Response => new Response(`${JSON.stringify({ type: "ended", end, changes })}\n`);
