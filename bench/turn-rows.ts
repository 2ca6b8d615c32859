import { setTimeout as sleep } from "node:timers/promises";
import type { LocalWorker } from "./local-worker.ts";
import type { Measure } from "./measure.ts";
import { type Counters, rowsIn, tell } from "./rows.ts";

/** Long enough for what a turn owes to D1 after its answer. */
const flushMs = 1_500;

/** Rows written and objects woken by a turn of the manual model with one tool call, everything it owes to D1 included. */
export async function measureTurnRows({ call }: LocalWorker): Promise<Measure[]> {
	await call("POST", "/api/v1/agents", { name: "bench", tools: ["current_time"] });
	const turn = async () => {
		await call("POST", "/counters");
		const message = { message: "/current_time {}", sessionId: "bench-rows" };
		await call("POST", "/api/v1/agents/bench/turns", message, { "X-Count": "1" });
		await sleep(flushMs);
		return await call<Counters>("POST", "/counters");
	};
	return [...figures("first turn of a session", await turn()), ...figures("its next turn", await turn())];
}

function figures(what: string, { rows, woken }: Counters): Measure[] {
	return [
		{ name: `${what}, one tool call: rows written`, value: rowsIn(rows), unit: "rows", atMost: 25, note: tell(rows) },
		{ name: `${what}: objects woken`, value: woken.length, unit: "objects", note: woken.join(", ") },
	];
}
