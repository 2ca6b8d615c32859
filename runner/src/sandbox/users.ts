import { readFileSync } from "node:fs";

/** Users from `first` on, `count` of them. */
export interface UserRange {
	readonly first: number;
	readonly count: number;
}

/** Bits in the kernel's set of capabilities. */
const needed = { chown: 0, setgid: 6, setuid: 7 };
/** Beyond those that a system hands out itself; the second for a container that has 65,536 in all. */
const ranges: readonly UserRange[] = [
	{ first: 200_000, count: 600_000_000 },
	{ first: 20_000, count: 40_000 },
];

/**
 * The users that the runner may give to places, each its own; undefined where it may not, because it is not root, or is root of a user
 * namespace with too few users. The one before the first is the trials'.
 */
export function placeUsers(): UserRange | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const capabilities = /^CapEff:\s+([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
	const has = BigInt(`0x${capabilities}`);
	if (Object.values(needed).some((bit) => ((has >> BigInt(bit)) & 1n) === 0n)) return undefined;
	const maps = ["uid_map", "gid_map"].map((name) => readFileSync(`/proc/self/${name}`, "utf8"));
	return ranges.find((range) => maps.every((map) => covers(map, range)));
}

function covers(map: string, { first, count }: UserRange): boolean {
	const lines = map
		.trim()
		.split("\n")
		.map((line) => line.trim().split(/\s+/).map(Number));
	return lines.some(([inside = 0, , size = 0]) => inside < first && first + count <= inside + size);
}
