import { describe, expect, it } from "vitest";
import { knownValues } from "../../src/lib/redact-known";

const known = knownValues([
	{ name: "SHORT", value: "abcd" },
	{ name: "LONG", value: "abcdefgh" },
	{ name: "OTHER", value: "wxyz" },
]);

describe("a growing text", () => {
	it("is decided up to where a longer value may yet come to stand", () => {
		expect(known.take("--abcd")).toEqual({ done: "--", rest: "abcd" });
		expect(known.take("--abcdx")).toEqual({ done: "--[secret:SHORT]x", rest: "" });
		expect(known.take("--abcdefg")).toEqual({ done: "--", rest: "abcdefg" });
		expect(known.take("--abcdefgh")).toEqual({ done: "--[secret:LONG]", rest: "" });
	});

	it("does not wait where a whole value ends", () => {
		expect(known.take("--wxyz")).toEqual({ done: "--[secret:OTHER]", rest: "" });
	});

	it("lets a whole value cover what could begin inside it", () => {
		const overlapping = knownValues([
			{ name: "A", value: "xxab" },
			{ name: "B", value: "abcd" },
		]);
		expect(overlapping.take("xxab")).toEqual({ done: "[secret:A]", rest: "" });
		expect(overlapping.replace("xxabcd")).toBe("[secret:A]cd");
	});
});
