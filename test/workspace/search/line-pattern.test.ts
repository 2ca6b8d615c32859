import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileLinePattern } from "../../../src/workspace/search/line-pattern";
import { requiredLiterals } from "../../../src/workspace/search/required-literals";

describe("the literals that a match must hold", () => {
	it.each([
		["needle", ["needle"]],
		["nee+dle", ["dle"]],
		["foo.*barbaz", ["barbaz"]],
		["(?:import|export) \\w+", ["import", "export"]],
		["foo|[0-9]+", undefined],
		["[0-9]{2}", undefined],
		["x*", undefined],
		["(ab)?c", ["c"]],
		["(?i)needle", undefined],
		["--pre=sh", ["--pre=sh"]],
		["", undefined],
	])("of %j are %j", (pattern, literals) => {
		expect(requiredLiterals(RE2JS.compile(pattern))).toEqual(literals);
	});
});

describe("a line pattern", () => {
	it.each([
		["lookahead", "a(?=b)"],
		["lookbehind", "(?<=a)b"],
		["a backreference", "(a)\\1"],
		["an open bracket", "["],
		["an open group", "("],
		["a repetition of nothing", "*a"],
		["a line break", "a\\nb"],
	])("refuses %s and says why", (_, pattern) => {
		expect(() => compileLinePattern({ pattern })).toThrow(expect.objectContaining({ reason: "pattern_unsupported" }));
	});

	it.each([
		["(a{1000}){1000}"],
		["(".repeat(100_000)],
		["a{1001}"],
		["é".repeat(513)],
		["(?:".repeat(300) + ")".repeat(300)],
	])("refuses what is too large", (pattern) => {
		const started = performance.now();
		try {
			compileLinePattern({ pattern });
		} catch (error) {
			expect(error).toMatchObject({ reason: "pattern_too_large" });
		}
		expect(performance.now() - started).toBeLessThan(500);
	});

	it("takes every character of a literal for itself", () => {
		const { test } = compileLinePattern({ pattern: "a.c(", literal: true });
		expect([test("xa.c(x"), test("abc(")]).toEqual([true, false]);
	});

	it("says where a match begins", () => {
		expect(compileLinePattern({ pattern: "b+" }).placeIn("aabbab")).toBe(2);
	});

	it.each([
		["kelvin", "300 \u212aelvin"],
		["straSSe", "\u017ftrasse STRASSE"],
		["ünïcode", "ÜNÏCODE"],
		["İx", "İX"],
		["TODO", "// todo"],
	])("ignores case beyond ASCII: %s is found in %s", (pattern, line) => {
		const { test, mayMatch } = compileLinePattern({ pattern, ignoreCase: true });
		expect([test(line), mayMatch(Buffer.from(line))]).toEqual([true, true]);
	});

	it("never passes over bytes in which a line matches", () => {
		const atom = fc.constantFrom(
			"a",
			"b",
			"K",
			"s",
			"é",
			".",
			"[ab]",
			"[^b]",
			"\\w",
			"(?:ab|ba)",
			"(?:a|é)",
			"(?i:k)",
			"^",
			"$",
			"\\b",
		);
		const part = fc.tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}")).map(([what, times]) => what + times);
		const pattern = fc.array(
			fc.array(part, { maxLength: 4 }).map((parts) => parts.join("")),
			{ minLength: 1, maxLength: 3 },
		);
		const line = fc.string({
			unit: fc.constantFrom("a", "b", "B", "k", "\u212a", "S", "ſ", "é", "É", " "),
			maxLength: 8,
		});
		fc.assert(
			fc.property(pattern, line, fc.boolean(), (alternatives, text, ignoreCase) => {
				let compiled: ReturnType<typeof compileLinePattern>;
				try {
					compiled = compileLinePattern({ pattern: alternatives.join("|"), ignoreCase });
				} catch {
					fc.pre(false);
					return;
				}
				if (compiled.test(text)) expect(compiled.mayMatch(Buffer.from(`x\n${text}\ny`))).toBe(true);
			}),
			{ numRuns: 3_000 },
		);
	});
});
