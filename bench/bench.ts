import { measureBundleAndStart } from "./bundle-and-start.ts";
import { measureFileRows } from "./file-rows.ts";
import { measureGrep } from "./grep.ts";
import { startLocalWorker } from "./local-worker.ts";
import { isMet, type Measure, tableOf } from "./measure.ts";
import { startBenchRunner } from "./runner.ts";
import { measureRunnerMcp } from "./runner-mcp.ts";
import { measureRunnerPrograms } from "./runner-programs.ts";
import { measureShell } from "./shell.ts";
import { measureStream } from "./stream.ts";
import { measureToolCall } from "./tool-call.ts";
import { measureTurnRows } from "./turn-rows.ts";
import { measureWorkspaceSize } from "./workspace-size.ts";

async function measureAll(): Promise<Measure[]> {
	const runner = await startBenchRunner();
	const worker = await startLocalWorker({ ORYX_RUNNER_URL: runner.url, ORYX_RUNNER_TOKEN: runner.token });
	try {
		const inOneWorker = [
			...(await measureToolCall(worker)),
			...(await measureTurnRows(worker)),
			...(await measureFileRows(worker)),
			...(await measureGrep(worker)),
			...(await measureShell(worker)),
			...(await measureWorkspaceSize(worker)),
			...(await measureRunnerPrograms(worker)),
			...(await measureRunnerMcp(runner)),
		];
		return [...inOneWorker, ...(await measureStream()), ...(await measureBundleAndStart())];
	} finally {
		await worker.stop();
		await runner.stop();
	}
}

const measures = await measureAll();
console.log(tableOf(measures));
if (process.argv.includes("--strict") && !measures.every(isMet)) process.exitCode = 1;
