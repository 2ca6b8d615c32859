import fc from "fast-check";
import { expect, it } from "vitest";
import { parsePath, readPath, showPath } from "../../src/lib/json-path";

const forbidden = ["__proto__", "constructor", "prototype"];
const key = fc.string({ unit: "binary" }).filter((text) => !forbidden.includes(text));
const steps = fc.array(fc.oneof(key, fc.nat({ max: 999_999_999 })), { maxLength: 64 });

it("reads back every path that it writes", () => {
	fc.assert(
		fc.property(steps, (path) => {
			expect(parsePath(showPath(path))).toEqual({ ok: true, steps: path });
		}),
	);
});

it("finds in a value what a path of its keys leads to", () => {
	const nested = (path: readonly (string | number)[]) =>
		path.reduceRight<unknown>((inner, at) => ({ [at]: inner }), "end");
	fc.assert(
		fc.property(steps, (path) => {
			expect(readPath(nested(path), path)).toEqual({ found: true, value: "end" });
		}),
	);
});

it("answers for any text, and reads no more of a value than its own data", () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			const parsed = parsePath(text);
			if (parsed.ok && parsed.steps.length > 0) expect(readPath([], parsed.steps).found).toBe(false);
		}),
	);
});

it.each(forbidden)("refuses the key %s however it is written", (name) => {
	for (const path of [
		name,
		`a.${name}`,
		`a["${name}"]`,
		`a['${name}']`,
		`a["\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}"]`,
	]) {
		expect(parsePath(path)).toEqual({ ok: false, message: `The key ${name} is refused.` });
	}
});
