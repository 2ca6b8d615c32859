import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../src/lib/glob";

/** The definition, by recursion over characters. */
function reference([first, ...rest]: readonly string[], text: readonly string[]): boolean {
	if (first === undefined) return text.length === 0;
	if (first === "*") return reference(rest, text) || (text.length > 0 && reference([first, ...rest], text.slice(1)));
	return text.length > 0 && (first === "?" || first === text[0]) && reference(rest, text.slice(1));
}

describe("matchesGlob", () => {
	it.each([
		["github__*", "github__create_issue", true],
		["github__*", "gitlab__x", false],
		["*", "", true],
		["", "", true],
		["", "a", false],
		["?", "😀", true],
		["??", "😀", false],
		["a?c", "abc", true],
		["a.c", "abc", false],
		["[ab]", "a", false],
		["READ*", "read_file", false],
		["*_file", "read_file", true],
		["*a*b*", "xaxbx", true],
	])("of %j and %j is %s", (pattern, text, expected) => {
		expect(matchesGlob(pattern, text)).toBe(expected);
	});

	it("agrees with the definition", () => {
		const letters = (alphabet: string[]) => fc.array(fc.constantFrom(...alphabet), { maxLength: 9 });
		fc.assert(
			fc.property(letters(["a", "b", "😀", "*", "*", "?"]), letters(["a", "b", "😀"]), (pattern, text) => {
				expect(matchesGlob(pattern.join(""), text.join(""))).toBe(reference(pattern, text));
			}),
			{ numRuns: 3000 },
		);
	});

	it("does not blow up on many stars", () => {
		const started = performance.now();
		expect(matchesGlob(`${"a*".repeat(500)}b`, "a".repeat(20_000))).toBe(false);
		expect(performance.now() - started).toBeLessThan(1000);
	});
});
