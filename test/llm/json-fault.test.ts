import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonFault } from "../../src/llm/json-fault";

it.each([
	['{"a": Oslo}', 6],
	["some words", 0],
	['{"a":1} more', 8],
	['{"a":1', 6],
	["{", 1],
	["{a:1}", 1],
	['{"a":1,}', 7],
	["[1,]", 3],
	["[1 2]", 3],
	['{"a" 1}', 5],
	['{"a":1]', 6],
	['{"a":"x', 5],
	["[01]", 1],
	["[tru]", 1],
	["", 0],
])("finds where %j stops being JSON", (text, offset) => {
	expect(jsonFault(text)).toBe(offset);
});

it("finds nothing wrong before the end of any JSON that is cut or goes on", () => {
	fc.assert(
		fc.property(fc.array(fc.jsonValue()), (value) => {
			const text = JSON.stringify(value);
			expect(jsonFault(`${text}?`)).toBe(text.length);
			expect(jsonFault(text.slice(0, -1))).toBe(text.length - 1);
		}),
	);
});
