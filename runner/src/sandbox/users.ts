import { readFileSync } from "node:fs";

/** Bits in the kernel's set of capabilities. */
const needed = { chown: 0, setgid: 6, setuid: 7 };
/** Users of places: one each, in one of these ranges. */
const ranges = [
	{ first: 200_000, count: 100_000 },
	{ first: 20_000, count: 40_000 },
];

/**
 * First of the users that the runner may give to places, each its own; undefined where it may not, because it is not root, or is root
 * of a user namespace with too few users. The one before it is the trials'.
 */
export function firstPlaceUid(): number | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const capabilities = /^CapEff:\s+([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
	const has = BigInt(`0x${capabilities}`);
	if (Object.values(needed).some((bit) => ((has >> BigInt(bit)) & 1n) === 0n)) return undefined;
	const maps = ["uid_map", "gid_map"].map((name) => readFileSync(`/proc/self/${name}`, "utf8"));
	return ranges.find((range) => maps.every((map) => covers(map, range)))?.first;
}

function covers(map: string, { first, count }: { first: number; count: number }): boolean {
	const lines = map
		.trim()
		.split("\n")
		.map((line) => line.trim().split(/\s+/).map(Number));
	return lines.some(([inside = 0, , size = 0]) => inside < first && first + count <= inside + size);
}
