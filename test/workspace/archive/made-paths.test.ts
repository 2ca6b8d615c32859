import { describe, expect, it } from "vitest";
import { MadePaths } from "../../../src/workspace/archive/made-paths";

const limits = { maxEntries: 5, maxNameChars: 50 };

describe("the paths of an archive", () => {
	it("may name a directory again, and be in any order", () => {
		const made = new MadePaths(limits);
		made.add("a/b/c", "file");
		made.add("a/b", "directory");
		made.add("a", "directory");
		made.add("a/b", "directory");
		made.add("a/B", "directory");
		made.add("a/b/C", "file");
	});

	it.each([
		["entries", ["1", "2", "3", "4", "5", "6"]],
		["directories on the way", ["a/b/c/d/e", "f"]],
		["letters", ["x".repeat(51)]],
		["letters on the way", [`${"x".repeat(20)}/${"x".repeat(20)}/y`]],
	])("are refused when they are too many %s", (_, paths) => {
		const made = new MadePaths(limits);
		expect(() => {
			for (const path of paths) made.add(path, "file");
		}).toThrow(expect.objectContaining({ reason: "archive_too_large" }));
	});
});
