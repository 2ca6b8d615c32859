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
