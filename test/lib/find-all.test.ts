import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findAll } from "../../src/lib/find-all";

it.each([
	["", "a", []],
	["abc", "", []],
	["abcabc", "abc", [0, 3]],
	["aaaa", "aa", [0, 1, 2]],
	["aabaabaaab", "aab", [0, 3, 7]],
	["日本日本", "本日", [1]],
	["abc", "abcd", []],
])("finds in %j the text %j at %j", (text, wanted, places) => {
	expect(findAll(text, wanted)).toEqual(places);
});

it("finds what indexOf finds", () => {
	const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
	const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(letters, word, (text, wanted) => {
			const places = Array.from(text, (_, at) => at).filter((at) => text.startsWith(wanted, at));
			expect(findAll(text, wanted)).toEqual(places);
		}),
	);
});

it("takes linear time for texts of one letter", () => {
	const started = performance.now();
	expect(findAll("a".repeat(4_000_000), `b${"a".repeat(1_000_000)}`)).toEqual([]);
	expect(findAll("a".repeat(4_000_000), `${"a".repeat(1_000_000)}b`)).toEqual([]);
	expect(performance.now() - started).toBeLessThan(2_000);
});
