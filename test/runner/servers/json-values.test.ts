import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawValue, replaceValues } from "../../../runner/src/servers/json-values";

describe("replacing values of a JSON text", () => {
	it.each([
		['{"id":1}', '{"id":9}'],
		[' { "a" : "x\\"}" , "id" : "old" } ', ' { "a" : "x\\"}" , "id" : 9 } '],
		['{"result":{"id":5,"s":"\\\\"},"jsonrpc":"2.0","id":2}', '{"result":{"id":5,"s":"\\\\"},"jsonrpc":"2.0","id":9}'],
		['{"\\u0069d":null}', '{"\\u0069d":9}'],
		['{"id":1,"id":2}', '{"id":1,"id":9}'],
		['{"id":[1,{"id":2}],"n":1.0}', '{"id":9,"n":1.0}'],
		['{"a":1e400}', '{"a":1e400}'],
		['[{"id":1}]', '[{"id":1}]'],
	])("turns the id of %s into 9", (json, expected) => {
		expect(replaceValues(json, [{ path: ["id"], value: "9" }])).toBe(expected);
	});

	it("keeps what JSON.parse would lose", () => {
		const json = '{"b":12345678901234567890,"a":1.0,"1":0,"s":"\\u00e9","id":1,"b":2}';
		expect(replaceValues(json, [{ path: ["id"], value: '"x"' }])).toBe(json.replace('"id":1', '"id":"x"'));
	});

	it("replaces several, in whatever order they stand", () => {
		const json = '{"params":{"_meta":{"progressToken":"t"}},"id":1}';
		const edits = [
			{ path: ["id"], value: "2" },
			{ path: ["params", "_meta", "progressToken"], value: "2" },
		];
		expect(replaceValues(json, edits)).toBe('{"params":{"_meta":{"progressToken":2}},"id":2}');
	});

	it("finds what JSON.parse finds in any JSON", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, more, isSpaced) => {
				const json = JSON.stringify({ ...more, deep: { ...more, id: value } }, undefined, isSpaced ? "\t" : undefined);
				const raw = rawValue(json, ["deep", "id"]);
				expect(raw && JSON.parse(raw)).toEqual(JSON.parse(JSON.stringify(value)));
				const replaced = JSON.parse(replaceValues(json, [{ path: ["deep", "id"], value: "7" }]));
				expect(replaced).toEqual({ ...JSON.parse(json), deep: { ...JSON.parse(json).deep, id: 7 } });
			}),
		);
	});
});
