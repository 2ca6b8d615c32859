import { measureBundleAndStart } from "./bundle-and-start.ts";
import { measureFileRows } from "./file-rows.ts";
import { measureGrep } from "./grep.ts";
import { startLocalWorker } from "./local-worker.ts";
import { isMet, type Measure, tableOf } from "./measure.ts";
import { measureShell } from "./shell.ts";
import { measureStream } from "./stream.ts";
import { measureToolCall } from "./tool-call.ts";
import { measureTurnRows } from "./turn-rows.ts";
import { measureWorkspaceSize } from "./workspace-size.ts";

async function measureAll(): Promise<Measure[]> {
	const worker = await startLocalWorker();
	try {
		const inOneWorker = [
			...(await measureToolCall(worker)),
			...(await measureTurnRows(worker)),
			...(await measureFileRows(worker)),
			...(await measureGrep(worker)),
			...(await measureShell(worker)),
			...(await measureWorkspaceSize(worker)),
		];
		return [...inOneWorker, ...(await measureStream()), ...(await measureBundleAndStart())];
	} finally {
		await worker.stop();
	}
}

const measures = await measureAll();
console.log(tableOf(measures));
if (process.argv.includes("--strict") && !measures.every(isMet)) process.exitCode = 1;
