import { truncateChars } from "../lib/text";
import { type MemoryEntry, memoryLine } from "./entry";

/** Characters of the archival section that a prompt carries; the rest is found by recall_memory. */
export const maxArchivalChars = 4_000;

/** MEMORY.md as a view of the stored entries: core whole and oldest first, archival newest first as far as it fits. */
export function renderMemory(entries: readonly MemoryEntry[]): string {
	const inScope = (scope: MemoryEntry["scope"]) =>
		entries.filter((entry) => entry.scope === scope).toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
	const core = inScope("core").map(memoryLine);
	const archival = newestThatFit(inScope("archival").toReversed());
	return ["# MEMORY", section("core", core), section("archival", archival)].join("\n\n").concat("\n");
}

const section = (name: string, lines: readonly string[]): string =>
	[`## ${name}`, ...(lines.length > 0 ? [""] : []), ...lines].join("\n");

function newestThatFit(newestFirst: readonly MemoryEntry[]): string[] {
	const lines: string[] = [];
	let left = maxArchivalChars;
	for (const entry of newestFirst) {
		const line = memoryLine(entry);
		if (line.length > left && lines.length > 0) break;
		lines.push(truncateChars(line, left));
		left -= line.length + "\n".length;
		if (left <= 0) break;
	}
	return lines;
}
