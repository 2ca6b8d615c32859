/** A run of lines that differ: `[start, end)` in each of the two files, one of them possibly empty. */
export interface Change {
	readonly from: readonly [number, number];
	readonly to: readonly [number, number];
}

/** Lines beyond which the shortest difference would take too long to find. */
const maxEdits = 5_000;

/** The shortest difference of two lists by Myers' algorithm, as runs of changes in order. */
export function diffLines(from: readonly string[], to: readonly string[]): Change[] {
	let start = 0;
	while (start < from.length && start < to.length && from[start] === to[start]) start++;
	let [endFrom, endTo] = [from.length, to.length];
	while (endFrom > start && endTo > start && from[endFrom - 1] === to[endTo - 1]) {
		endFrom--;
		endTo--;
	}
	const kept = commonPairs(from.slice(start, endFrom), to.slice(start, endTo));
	const changes: Change[] = [];
	let [atFrom, atTo] = [start, start];
	for (const [pairFrom, pairTo] of [
		...kept.map(([one, other]) => [one + start, other + start] as const),
		[endFrom, endTo] as const,
	]) {
		if (pairFrom > atFrom || pairTo > atTo) changes.push({ from: [atFrom, pairFrom], to: [atTo, pairTo] });
		[atFrom, atTo] = [pairFrom + 1, pairTo + 1];
	}
	return changes;
}

/** Pairs of indices of the lines that both have, in order; empty when the lists differ too much to look. */
function commonPairs(from: readonly string[], to: readonly string[]): [number, number][] {
	const limit = Math.min(from.length + to.length, maxEdits);
	let furthest = new Map<number, number>([[1, 0]]);
	const trace: Map<number, number>[] = [];
	for (let edits = 0; edits <= limit; edits++) {
		trace.push(new Map(furthest));
		for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
			let x = isDown(furthest, diagonal, edits) ? reach(furthest, diagonal + 1) : reach(furthest, diagonal - 1) + 1;
			while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
			furthest.set(diagonal, x);
			if (x >= from.length && x - diagonal >= to.length) return walkBack(trace, from.length, to.length);
		}
		furthest = new Map(furthest);
	}
	return [];
}

const reach = (furthest: ReadonlyMap<number, number>, diagonal: number): number => furthest.get(diagonal) ?? -1;

const isDown = (furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean =>
	diagonal === -edits || (diagonal !== edits && reach(furthest, diagonal - 1) < reach(furthest, diagonal + 1));

function walkBack(trace: readonly ReadonlyMap<number, number>[], endX: number, endY: number): [number, number][] {
	const pairs: [number, number][] = [];
	let [x, y] = [endX, endY];
	for (let edits = trace.length - 1; edits >= 0; edits--) {
		const furthest = trace[edits] ?? new Map();
		const diagonal = x - y;
		const before = isDown(furthest, diagonal, edits) ? diagonal + 1 : diagonal - 1;
		const beforeX = edits === 0 ? 0 : reach(furthest, before);
		const beforeY = edits === 0 ? 0 : beforeX - before;
		while (x > beforeX && y > beforeY) pairs.unshift([--x, --y]);
		[x, y] = [beforeX, beforeY];
	}
	return pairs;
}
