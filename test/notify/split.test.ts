import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/lib/text";
import { splitText } from "../../src/notify/split";
import { codePoints, jsonBytes, type Measure, utf16Units } from "../../src/notify/units";

const units: [string, Measure][] = [
	["UTF-8 bytes", utf8Length],
	["UTF-16 units", utf16Units],
	["code points", codePoints],
	["bytes of JSON", jsonBytes],
];

/** Prose in several scripts, long words, marks, pairs, blank lines and table rows; no fences, which are opened anew. */
const prose = fc
	.array(
		fc.oneof(
			fc.string({ unit: "grapheme", maxLength: 60 }),
			fc.string({ unit: "binary", maxLength: 60 }),
			fc.constantFrom(
				"\n",
				"\n\n",
				" ",
				"日本語のテキスト",
				"👨‍👩‍👧‍👦".repeat(9),
				"| a | b |\n",
				"x".repeat(150),
				"e\u0301".repeat(40),
				"\t\0\u2028",
			),
		),
		{ maxLength: 60 },
	)
	.map((pieces) => pieces.join("").replace(/[`~]/g, "'").toWellFormed());

const withoutNumber = (part: string) => part.replace(/^\(\d+\/\d+\)\n/, "");

describe.each(units)("splitting by %s", (_, measure) => {
	it("keeps every part within the limit", () => {
		fc.assert(
			fc.property(prose, fc.integer({ min: 60, max: 300 }), (text, limit) => {
				for (const part of splitText(text, { limit, measure })) expect(measure(part)).toBeLessThanOrEqual(limit);
			}),
		);
	});

	it("loses nothing and breaks no code point", () => {
		fc.assert(
			fc.property(prose, fc.integer({ min: 60, max: 300 }), (text, limit) => {
				const parts = splitText(text, { limit, measure });
				expect(parts.every((part) => part.isWellFormed())).toBe(true);
				if (parts.length > 1) expect(parts.map(withoutNumber).join("")).toBe(text);
				else expect(parts).toEqual([text]);
			}),
		);
	});

	it("keeps fenced code within the limit and within fences", () => {
		const code = fc.array(fc.string({ unit: "grapheme", maxLength: 50 }), { minLength: 1, maxLength: 40 });
		fc.assert(
			fc.property(prose, code, prose, (before, lines, after) => {
				const inner = lines.map((line) => line.replace(/[`~\n]/g, "'").toWellFormed()).join("\n");
				const text = `${before.slice(0, 200).toWellFormed()}\n\`\`\`ts\n${inner}\n\`\`\`\n${after.slice(0, 200).toWellFormed()}`;
				const parts = splitText(text, { limit: 250, measure });
				for (const part of parts) {
					expect(measure(part)).toBeLessThanOrEqual(250);
					expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
				}
			}),
		);
	});
});

describe("splitting", () => {
	const rules = { limit: 40, measure: utf16Units };

	it("leaves a text that fits as it is", () => {
		expect(splitText("short", rules)).toEqual(["short"]);
	});

	it("numbers the parts and cuts between lines", () => {
		const text = ["first line of text", "second line of text", "third line of text"].join("\n");
		expect(splitText(text, rules)).toEqual([
			"(1/3)\nfirst line of text\n",
			"(2/3)\nsecond line of text\n",
			"(3/3)\nthird line of text",
		]);
	});

	it("cuts a line that is too long after a blank", () => {
		const [first] = splitText("one two three four five six seven eight nine ten", rules);
		expect(first).toBe("(1/2)\none two three four five six ");
	});

	it("does not part a family, a flag or a letter from its marks", () => {
		const family = "👨‍👩‍👧‍👦";
		const parts = splitText(family.repeat(8), rules).map(withoutNumber);
		expect(parts.every((part) => part.replaceAll(family, "") === "")).toBe(true);
	});

	it("parts letters with endless marks between code points", () => {
		const parts = splitText(`a${"\u0301".repeat(100)}`, rules);
		expect(parts.length).toBeGreaterThan(3);
		expect(parts.every((part) => part.length <= 40)).toBe(true);
	});

	it("keeps a fenced block whole where it fits", () => {
		const parts = splitText("Some text before it.\n```\na\nb\n```\nafter", { limit: 35, measure: utf16Units });
		expect(parts).toEqual(["(1/2)\nSome text before it.\n", "(2/2)\n```\na\nb\n```\nafter"]);
	});

	it("opens a fence again with its language where the block does not fit", () => {
		const parts = splitText("~~~sh\necho one two\necho three\necho four\n~~~\n", rules);
		expect(parts).toEqual([
			"(1/3)\n~~~sh\necho one two\n~~~\n",
			"(2/3)\n~~~sh\necho three\n~~~\n",
			"(3/3)\n~~~sh\necho four\n~~~\n",
		]);
	});

	it("keeps a table row whole", () => {
		const rows = Array.from({ length: 6 }, (_, index) => `| row ${index} | value |\n`).join("");
		for (const part of splitText(rows, rules)) expect(withoutNumber(part)).toMatch(/^(\| row \d \| value \|\n)+$/);
	});

	it("puts the keyword into every part that lacks it", () => {
		const text = "ALERT: the first line\nanother line here\nyet another line";
		expect(splitText(text, { ...rules, limit: 45, keyword: "ALERT" })).toEqual([
			"(1/3)\nALERT: the first line\n",
			"ALERT\n(2/3)\nanother line here\n",
			"ALERT\n(3/3)\nyet another line",
		]);
		expect(splitText("fine", { ...rules, keyword: "ALERT" })).toEqual(["ALERT\nfine"]);
	});
});
