import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/lib/parse-json";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("parseJson", () => {
	it("gives what JSON.parse gives", () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 5, noUnicodeString: false }), (text) => {
				const parsed = parseJson(text);
				if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
				else expect(parsed.reason).toBe("forbidden_key");
			}),
		);
	});

	it("refuses what is nested too deep before parsing it", () => {
		expect(parseJson(nested(64))).toMatchObject({ ok: true });
		expect(parseJson(nested(65))).toMatchObject({ ok: false, reason: "too_deep" });
		expect(parseJson("[".repeat(200_000))).toMatchObject({ ok: false, reason: "too_deep" });
		expect(parseJson('{"a":{"b":[1]}}', { maxDepth: 2 })).toMatchObject({ reason: "too_deep" });
	});

	it("does not count brackets in strings", () => {
		const text = JSON.stringify({ a: '[[["', b: "\\", c: "{".repeat(100), d: '\\"[' });
		expect(parseJson(text, { maxDepth: 1 })).toMatchObject({ ok: true, value: JSON.parse(text) });
	});

	it.each([
		'{"__proto__":{"x":1}}',
		'[{"a":{"constructor":1}}]',
		'{"prototype":1}',
		'{"\\u005f_proto__":1}',
		'{"constr\\u0075ctor":1}',
	])("refuses a key that reaches a prototype: %s", (text) => {
		expect(parseJson(text)).toMatchObject({ ok: false, reason: "forbidden_key" });
	});

	it("takes such words as values", () => {
		expect(parseJson('["__proto__","constructor"]')).toMatchObject({ ok: true });
	});

	it.each(["", "{", "{a:1}", "[1,]", "NaN", '"\\"', "'x'"])("says that %j is no JSON", (text) => {
		expect(parseJson(text)).toMatchObject({
			ok: false,
			reason: "invalid_json",
			message: expect.stringMatching(/^This is no JSON: ./),
		});
	});
});
