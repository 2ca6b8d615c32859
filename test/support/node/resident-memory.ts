import { readFileSync, writeFileSync } from "node:fs";

/** What some processes have in memory at most from now on, beyond what they have now. Linux only. */
export interface ResidentMemory {
	peakGrowthBytes(): number;
}

export function watchMemory(pids: readonly number[]): ResidentMemory {
	// Makes the peak begin anew.
	for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
	const before = sum(pids, "VmRSS");
	return { peakGrowthBytes: () => sum(pids, "VmHWM") - before };
}

/** Those of some processes that run Workers: wrangler's own proxy and the one with our code in it. */
export const workerProcesses = (pids: readonly number[]): number[] =>
	pids.filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "workerd");

const sum = (pids: readonly number[], field: "VmRSS" | "VmHWM"): number =>
	pids.reduce((total, pid) => total + read(pid, field), 0);

function read(pid: number, field: "VmRSS" | "VmHWM"): number {
	const line = readFileSync(`/proc/${pid}/status`, "utf8")
		.split("\n")
		.find((text) => text.startsWith(`${field}:`));
	const kilobytes = Number.parseInt(line?.slice(field.length + 1) ?? "", 10);
	if (Number.isNaN(kilobytes)) throw new Error(`/proc/${pid}/status does not tell ${field}.`);
	return kilobytes * 1_024;
}
