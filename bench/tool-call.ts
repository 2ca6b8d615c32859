import type { LocalWorker } from "./local-worker.ts";
import { type Measure, median, round, takeTurns } from "./measure.ts";

const warmUps = 200;
const rounds = 1_000;

/** A gated, audited tool call over HTTP against a bare route with one D1 insert, one after the other in one process. */
export async function measureToolCall({ call }: LocalWorker): Promise<Measure[]> {
	const [bare = [], tool = []] = await takeTurns({ warmUps, rounds }, [
		() => call("POST", "/bare", { tool: "bench" }),
		() => call("POST", "/api/v1/tools/current_time/execute", { arguments: {} }),
	]);
	return [
		{ name: "bare route with one D1 insert, median", value: round(median(bare)), unit: "ms" },
		{ name: "current_time through execute, median", value: round(median(tool)), unit: "ms" },
		{ name: "execute against the bare route", value: round(median(tool) / median(bare)), unit: "times", atMost: 1.6 },
	];
}
