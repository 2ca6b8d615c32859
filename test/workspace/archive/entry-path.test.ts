import { describe, expect, it } from "vitest";
import { entryPath, staysInside } from "../../../src/workspace/archive/entry-path";

describe("an entry's path", () => {
	it.each([
		["a/b", "a/b"],
		["./a//b/", "a/b"],
		["./", ""],
		["~/x", "~/x"],
		["..a/b..", "..a/b.."],
		["ab:c", "ab:c"],
	])("of %s is %s", (name, path) => {
		expect(entryPath({ name })).toBe(path);
	});
});

describe("a link", () => {
	it.each([
		["a/b/link", "../x", true],
		["a/b/link", "../../x", true],
		["a/b/link", "../../../x", false],
		["a/b/link", "x/../../../y", true],
		["link", ".", true],
		["link", "..", false],
		["link", "a/../..", false],
		["link", "..\\x", false],
		["link", "\\\\host\\share", false],
		["link", "C:\\x", false],
		["link", "/x", false],
		["link", "", false],
		["link", "a\nb", false],
	])("at %s to %j stays inside: %s", (path, target, expected) => {
		expect(staysInside(path, target)).toBe(expected);
	});
});
