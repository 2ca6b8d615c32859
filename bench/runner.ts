import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type LocalRunner, runnerFolder, startRunner } from "../scripts/local-runner.ts";

/** A runner as `npm start` has one, until `stop`. */
export async function startBenchRunner(): Promise<LocalRunner & { stop(): Promise<void> }> {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-bench-state-"));
	const stopping = new AbortController();
	const runner = await startRunner(folder, stopping.signal);
	return {
		...runner,
		async stop() {
			stopping.abort();
			await runner.ended;
			for (const left of [folder, runnerFolder(folder)]) rmSync(left, { recursive: true });
		},
	};
}
