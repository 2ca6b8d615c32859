import type { LocalWorker } from "./local-worker.ts";
import { type Measure, median, round } from "./measure.ts";

const warmUps = 200;
const rounds = 1_000;

/** A gated, audited tool call over HTTP against a bare route with one D1 insert, one after the other in one process. */
export async function measureToolCall({ call }: LocalWorker): Promise<Measure[]> {
	const bareCall = () => timed(() => call("POST", "/bare", { tool: "bench" }));
	const toolCall = () => timed(() => call("POST", "/api/v1/tools/current_time/execute", { arguments: {} }));
	for (let at = 0; at < warmUps; at++) {
		await bareCall();
		await toolCall();
	}
	const bare: number[] = [];
	const tool: number[] = [];
	for (let at = 0; at < rounds; at++) {
		bare.push(await bareCall());
		tool.push(await toolCall());
	}
	return [
		{ name: "bare route with one D1 insert, median", value: round(median(bare)), unit: "ms" },
		{ name: "current_time through execute, median", value: round(median(tool)), unit: "ms" },
		{ name: "execute against the bare route", value: round(median(tool) / median(bare)), unit: "times", atMost: 1.6 },
	];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}
