import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Change, diffLines } from "../../../../src/workspace/shell/commands/diff-lines";

const apply = (from: readonly string[], to: readonly string[], changes: readonly Change[]): string[] => {
	let at = 0;
	const lines = changes.flatMap((change) => {
		const kept = from.slice(at, change.from[0]);
		at = change.from[1];
		return [...kept, ...to.slice(...change.to)];
	});
	return [...lines, ...from.slice(at)];
};

const countOf = (changes: readonly Change[]): number =>
	changes.reduce((sum, { from, to }) => sum + from[1] - from[0] + to[1] - to[0], 0);

/** Lines that are not in the longest common subsequence, found the slow way. */
function fewestEdits(from: readonly string[], to: readonly string[]): number {
	let row = to.map(() => 0);
	for (const line of from) {
		const next: number[] = [];
		for (const [index, other] of to.entries()) {
			const [diagonal = 0, up = 0, left = 0] = [row[index - 1], row[index], next[index - 1]];
			next.push(line === other ? diagonal + 1 : Math.max(up, left));
		}
		row = next;
	}
	return from.length + to.length - 2 * (row.at(-1) ?? 0);
}

const numbers = (count: number, nameOf: (index: number) => string) =>
	Array.from({ length: count }, (_, at) => nameOf(at));

describe("diffLines", () => {
	it("finds the shortest way from one list to the other", () => {
		const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
		fc.assert(
			fc.property(lines, lines, (from, to) => {
				const changes = diffLines(from, to);
				expect(apply(from, to, changes)).toEqual(to);
				expect(countOf(changes)).toBe(fewestEdits(from, to));
			}),
		);
	});

	it.each([
		["that have nothing in common", numbers(200_000, (at) => `a${at}`), numbers(200_000, (at) => `b${at}`)],
		["of which one is the other backwards", numbers(100_000, String), numbers(100_000, String).reverse()],
		[
			"that repeat themselves",
			numbers(300_000, (at) => (at % 7 === 0 ? "x" : "a")),
			numbers(300_000, (at) => (at % 11 === 0 ? "y" : "a")),
		],
	])("takes lists %s for wholly different before it holds much for them", (_, from, to) => {
		const changes = diffLines(from, to);
		expect(changes).toHaveLength(1);
		expect(apply(from, to, changes)).toEqual(to);
	});
});
