import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/lib/canonical-json";

/** The same value with every object's keys the other way round. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, member]) => [key, reversed(member)]),
	);
}

describe("canonicalJson", () => {
	it("writes keys in the order of their UTF-16 units, as RFC 8785 shows", () => {
		const keys = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 };
		expect(canonicalJson(keys)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
	});

	it("writes numbers and strings as JSON does", () => {
		expect(canonicalJson([1e30, 4.5, -0, 1e-7, '€$\u000f\n\\"', true, null])).toBe(
			'[1e+30,4.5,0,1e-7,"€$\\u000f\\n\\\\\\"",true,null]',
		);
	});

	it("leaves out undefined members, and says null for undefined items", () => {
		expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
	});

	it("writes dates as JSON does", () => {
		expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
	});

	it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [undefined], [() => 1], [Symbol("x")]])(
		"throws on %s",
		(value) => {
			expect(() => canonicalJson({ value: [value] }.value.at(0))).toThrow(TypeError);
		},
	);

	it("is the same whatever the order of keys, and reads back to the same value", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const plain: unknown = JSON.parse(JSON.stringify(value));
				expect(canonicalJson(reversed(plain))).toBe(canonicalJson(plain));
				expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
			}),
		);
	});
});
