/** A run of lines that differ: `[start, end)` in each of the two files, one of them possibly empty. */
export interface Change {
	readonly from: readonly [number, number];
	readonly to: readonly [number, number];
}

/** Lines beyond which the shortest difference would take too long to find: what is held for it grows with their square. */
const maxEdits = 2_000;
/** The same for the comparisons, of which lines that repeat need many. */
const maxComparisons = 20_000_000;

/** The shortest difference of two lists by Myers' algorithm, as runs of changes in order. */
export function diffLines(from: readonly string[], to: readonly string[]): Change[] {
	let start = 0;
	while (start < from.length && start < to.length && from[start] === to[start]) start++;
	let [endFrom, endTo] = [from.length, to.length];
	while (endFrom > start && endTo > start && from[endFrom - 1] === to[endTo - 1]) {
		endFrom--;
		endTo--;
	}
	const kept = commonPairs(...numbered(from.slice(start, endFrom), to.slice(start, endTo)));
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

/** Each line as a number, equal for equal lines, so that long ones are compared once. */
function numbered(from: readonly string[], to: readonly string[]): [Int32Array, Int32Array] {
	const numbers = new Map<string, number>();
	const numberOf = (line: string): number => {
		const number = numbers.get(line) ?? numbers.size;
		numbers.set(line, number);
		return number;
	};
	return [Int32Array.from(from, numberOf), Int32Array.from(to, numberOf)];
}

/** How far each diagonal has come after some edits; `-1` where none has been. */
class Furthest {
	readonly #reach: Int32Array;
	readonly #middle: number;

	constructor(edits: number, reach = new Int32Array(2 * edits + 3).fill(-1)) {
		this.#middle = edits + 1;
		this.#reach = reach;
	}

	at(diagonal: number): number {
		return this.#reach[this.#middle + diagonal] ?? -1;
	}

	set(diagonal: number, x: number): void {
		this.#reach[this.#middle + diagonal] = x;
	}

	/** Of the diagonals that `edits` can lead to and their neighbours. */
	copy(edits: number): Furthest {
		return new Furthest(edits, this.#reach.slice(this.#middle - edits - 1, this.#middle + edits + 2));
	}
}

/** Pairs of indices of the lines that both have, in order; empty when the lists differ too much to look. */
function commonPairs(from: Int32Array, to: Int32Array): [number, number][] {
	const limit = Math.min(from.length + to.length, maxEdits);
	const furthest = new Furthest(limit);
	furthest.set(1, 0);
	const trace: Furthest[] = [];
	let comparisons = 0;
	for (let edits = 0; edits <= limit; edits++) {
		trace.push(furthest.copy(edits));
		for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
			const begin = isDown(furthest, diagonal, edits) ? furthest.at(diagonal + 1) : furthest.at(diagonal - 1) + 1;
			let x = begin;
			while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
			furthest.set(diagonal, x);
			if (x >= from.length && x - diagonal >= to.length) return walkBack(trace, from.length, to.length);
			comparisons += x - begin + 1;
			if (comparisons > maxComparisons) return [];
		}
	}
	return [];
}

const isDown = (furthest: Furthest, diagonal: number, edits: number): boolean =>
	diagonal === -edits || (diagonal !== edits && furthest.at(diagonal - 1) < furthest.at(diagonal + 1));

function walkBack(trace: readonly Furthest[], endX: number, endY: number): [number, number][] {
	const pairs: [number, number][] = [];
	let [x, y] = [endX, endY];
	for (let edits = trace.length - 1; edits >= 0; edits--) {
		const furthest = trace[edits] ?? new Furthest(edits);
		const diagonal = x - y;
		const before = isDown(furthest, diagonal, edits) ? diagonal + 1 : diagonal - 1;
		const beforeX = edits === 0 ? 0 : furthest.at(before);
		const beforeY = edits === 0 ? 0 : beforeX - before;
		while (x > beforeX && y > beforeY) pairs.push([--x, --y]);
		[x, y] = [beforeX, beforeY];
	}
	return pairs.reverse();
}
