import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripControl, truncateChars, utf8Length } from "../../src/lib/text";

describe("truncateChars", () => {
	it("keeps at most so many units and never half a character", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 20 }), (text, max) => {
				const cut = truncateChars(text, max);
				expect(text.startsWith(cut)).toBe(true);
				expect(cut.length).toBeLessThanOrEqual(max);
				expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
				expect(cut.isWellFormed()).toBe(true);
			}),
		);
	});

	it("leaves a text alone that fits", () => {
		expect(truncateChars("a😀", 3)).toBe("a😀");
		expect(truncateChars("a😀b", 2)).toBe("a");
	});
});

describe("utf8Length", () => {
	it("agrees with the encoder, lone surrogates included", () => {
		const unit = fc.constantFrom("a", "é", "敏", "😀", "\ud800", "\udc00");
		fc.assert(
			fc.property(fc.array(unit), (units) => {
				const text = units.join("");
				expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
			}),
		);
	});
});

describe("stripControl", () => {
	it("takes out control characters and marks that turn the direction", () => {
		expect(stripControl("a\u0000b\u001b[31mc\r\n\td\u007f\u009f\u202ee\u2066f\u200f")).toBe("ab[31mc\n\tdef");
	});

	it("leaves every script and emoji alone", () => {
		const text = "Grüße 敏捷 مرحبا 👩‍👩‍👧 e\u0301";
		expect(stripControl(text)).toBe(text);
	});
});
