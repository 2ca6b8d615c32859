import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUnder, resolvePath } from "../../src/gates/path";

const pathOf = (raw: string) => {
	const resolved = resolvePath(raw);
	return resolved.ok ? resolved.path : resolved.reason;
};

describe("resolvePath", () => {
	it.each([
		["notes.md", "/workspace/notes.md"],
		["./a//b/../c/", "/workspace/a/c"],
		["/tmp/x", "/tmp/x"],
		["../etc/passwd", "/etc/passwd"],
		["/../../etc", "/etc"],
		["%2e%2e/x", "/workspace/%2e%2e/x"],
		["a b/…/ü", "/workspace/a b/…/ü"],
		[".", "/workspace"],
		["..", "/"],
		["a:b//c", "/workspace/a:b/c"],
		["\ud83d\ude00", "/workspace/\ud83d\ude00"],
		["\uff0e\uff0e/x", "/workspace/\uff0e\uff0e/x"],
		["....//x", "/workspace/..../x"],
		[" a ", "/workspace/ a "],
	])("makes one absolute path of %j: %s", (raw, path) => {
		expect(pathOf(raw)).toBe(path);
	});

	it.each([
		["", "invalid_path"],
		["a\u0000b", "invalid_path"],
		["a\nb", "invalid_path"],
		["~/x", "invalid_path"],
		["~root", "invalid_path"],
		["a/".repeat(2100), "invalid_path"],
		["file:///etc/passwd", "invalid_path"],
		["HTTPS://a.example/x", "invalid_path"],
		["git+ssh://a/b", "invalid_path"],
		["a\ud800b", "invalid_path"],
		["\udc00", "invalid_path"],
		[`x/${"ü".repeat(128)}`, "name_too_long"],
	])("refuses %j as %s", (raw, reason) => {
		expect(pathOf(raw)).toBe(reason);
	});
});

describe("resolvePath in a root of its own", () => {
	it.each([
		["a", "/workspace/sub/a"],
		["../a", "/workspace/a"],
		["/a", "/a"],
		["../../../..", "/"],
	])("begins %j there: %s", (raw, path) => {
		expect(resolvePath(raw, "/workspace/sub")).toEqual({ ok: true, path });
	});
});

describe("isUnder", () => {
	it.each([
		["/workspace/a", ["."], true],
		["/workspace/a", ["/workspace/"], true],
		["/workspace/a", ["a"], true],
		["/workspace/ab", ["a"], false],
		["/workspace", ["a"], false],
		["/workspace-evil/x", ["/workspace"], false],
		["/etc/passwd", ["/"], true],
		["/etc/passwd", ["/tmp", "/etc"], true],
		["/etc/passwd", [], false],
		["/etc/passwd", ["", "~", "/\u0000"], false],
		["/Tmp/x", ["/tmp"], false],
	])("of %s and %j is %s", (path, roots, expected) => {
		expect(isUnder(path, roots)).toBe(expected);
	});

	it("holds for whatever is written below a root without climbing out", () => {
		const segment = fc.constantFrom("a", "b", "..", ".", "", "a.b", "...");
		fc.assert(
			fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
				const path = pathOf(`/root/dir/${segments.join("/")}`);
				let depth = 2;
				let lowest = 2;
				for (const part of segments) {
					if (part === "..") depth = Math.max(0, depth - 1);
					else if (part !== "." && part !== "") depth++;
					lowest = Math.min(lowest, depth);
				}
				if (lowest === 2) expect(isUnder(path, ["/root/dir"])).toBe(true);
				expect(path).not.toMatch(/\/\.{0,2}\/|\/\.{1,2}$/);
			}),
		);
	});
});
