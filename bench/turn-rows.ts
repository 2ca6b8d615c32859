import { setTimeout as sleep } from "node:timers/promises";
import type { LocalWorker } from "./local-worker.ts";
import type { Measure } from "./measure.ts";

interface Counters {
	readonly d1Rows: number;
	readonly objectRows: number;
	readonly woken: readonly string[];
}

const flushMs = 1_500;

/** Rows written and objects woken by a turn of the manual model with one tool call, everything it owes to D1 included. */
export async function measureTurnRows({ call }: LocalWorker): Promise<Measure[]> {
	await call("POST", "/api/v1/agents", { name: "bench", tools: ["current_time"] });
	const turn = async (sessionId: string) => {
		await call("POST", "/counters");
		await call("POST", "/api/v1/agents/bench/turns", { message: "/current_time {}", sessionId }, { "X-Count": "1" });
		await sleep(flushMs);
		return await call<Counters>("POST", "/counters");
	};
	const first = await turn("bench-rows");
	const second = await turn("bench-rows");
	const rowsOf = ({ d1Rows, objectRows }: Counters) => d1Rows + objectRows;
	return [
		{
			name: `first turn of a session, one tool call (${splitOf(first)})`,
			value: rowsOf(first),
			unit: "rows",
			atMost: 25,
		},
		{
			name: `next turn of the session, one tool call (${splitOf(second)})`,
			value: rowsOf(second),
			unit: "rows",
			atMost: 25,
		},
		{ name: "objects woken by the first turn", value: first.woken.length, unit: "objects" },
	];
}

const splitOf = ({ d1Rows, objectRows }: Counters) => `${objectRows} in the object, ${d1Rows} in D1`;
