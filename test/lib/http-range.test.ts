import { describe, expect, it } from "vitest";
import { entityTags, resolveRange } from "../../src/lib/http-range";

describe("a range of 10 bytes", () => {
	it.each([
		[undefined, "whole"],
		["bytes=0-0", [0, 1]],
		["bytes=2-", [2, 8]],
		["bytes=-4", [6, 4]],
		["bytes=-100", [0, 10]],
		["bytes=3-1000", [3, 7]],
		[" bytes=0-1 ", [0, 2]],
		["bytes=10-", "unsatisfiable"],
		["bytes=10-20", "unsatisfiable"],
		["bytes=-0", "unsatisfiable"],
		["bytes=5-4", "whole"],
		["bytes=-", "whole"],
		["bytes=0-1,4-5", "whole"],
		["bytes=a-b", "whole"],
		["items=0-1", "whole"],
		[`bytes=${"9".repeat(16)}-`, "whole"],
	])("by %j is %j", (header, expected) => {
		const verdict = resolveRange(header, 10);
		expect(verdict.kind === "part" ? [verdict.offset, verdict.length] : verdict.kind).toEqual(expected);
	});

	it("of an empty file is none", () => {
		expect(resolveRange("bytes=0-", 0).kind).toBe("unsatisfiable");
	});
});

describe("entity tags", () => {
	it.each([
		[undefined, "strong", undefined],
		["*", "strong", "*"],
		['"a"', "strong", ["a"]],
		['"a", W/"b" ,"c,d"', "strong", ["a", "c,d"]],
		['"a", W/"b"', "weak", ["a", "b"]],
		["a", "strong", []],
	] as const)("of %j in a %s comparison are %j", (header, comparison, expected) => {
		expect(entityTags(header, comparison)).toEqual(expected);
	});
});
