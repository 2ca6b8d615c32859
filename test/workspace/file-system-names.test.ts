import { describe, expect, it } from "vitest";
import { bytes, codeOf, someFiles, text } from "../support/node/workspace";

describe("names", () => {
	it.each<[string, string]>([
		["a name of 255 bytes", "a".repeat(255)],
		["a name of 255 bytes in three-byte characters", "€".repeat(85)],
		["a name with a newline and a tab", "a\n\tb"],
		["a name of spaces", "  "],
		["three dots", "..."],
		["a backslash", "a\\b"],
		["an emoji", "👩‍👩‍👧"],
	])("may be %s", (_, name) => {
		const files = someFiles();
		files.write(`/workspace/d/${name}`, bytes("1"));
		expect(files.readDirectory("/workspace/d").map((entry) => entry.name)).toContain(name);
	});

	it.each<[string, string, string]>([
		["256 bytes", `/workspace/${"a".repeat(256)}`, "ENAMETOOLONG"],
		["86 three-byte characters", `/workspace/${"€".repeat(86)}`, "ENAMETOOLONG"],
		["a path of 4096 bytes", `/workspace${"/a".repeat(2043)}`, "ENAMETOOLONG"],
		["a path of 4095 bytes that leads nowhere", `/workspace${"/a".repeat(2042)}b`, "ENOENT"],
		["NUL", "/workspace/a\0b", "EINVAL"],
		["half a surrogate pair", "/workspace/a\ud800", "EINVAL"],
		["a dot", "/workspace/./a", "EINVAL"],
		["two dots", "/workspace/d/../a", "EINVAL"],
		["nothing", "/workspace//a", "EINVAL"],
		["a slash at the end", "/workspace/d/", "EINVAL"],
		["no slash at the beginning", "workspace/a", "EINVAL"],
	])("are refused with %s", (_, path, code) => {
		const files = someFiles();
		expect(codeOf(() => files.write(path, bytes("1")))).toBe(code);
		expect(codeOf(() => files.stat(path))).toBe(code);
	});

	it("are told apart by case and by Unicode form, and listed in byte order", () => {
		const files = someFiles();
		const names = ["B", "a", "b", "ä", "a\u0308", "\uffff", "😀", "a.b", "a b"];
		for (const name of names) files.write(`/workspace/d/${name}`, bytes(name));
		const listed = files.readDirectory("/workspace/d").map((entry) => entry.name);
		const sorted = [...names, "x"].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
		expect(listed).toEqual(sorted);
	});
});

describe("symlinks", () => {
	it("are followed forty times and no more", () => {
		const files = someFiles();
		files.symlink("/workspace/f", "/workspace/link1");
		for (let number = 2; number <= 41; number++) files.symlink(`link${number - 1}`, `/workspace/link${number}`);
		expect(text(files.read("/workspace/link40"))).toBe("hello");
		expect(codeOf(() => files.read("/workspace/link41"))).toBe("ELOOP");
	});

	it("are resolved physically, from our root, into every tree", () => {
		const files = someFiles();
		files.symlink("/workspace/d", "/tmp/link");
		files.symlink("../f", "/workspace/d/up");
		files.symlink("/tmp/link/up", "/workspace/over");
		expect(files.resolve("/workspace/over")).toBe("/workspace/f");
		expect(files.resolve("/workspace/over", { lastLink: "keep" })).toBe("/workspace/over");
		files.symlink("../../../../skills/one", "/workspace/skill");
		expect(text(files.read("/workspace/skill/SKILL.md"))).toBe("# One");
		expect(files.resolve("/workspace/dangling/not/yet")).toBe("/workspace/missing/not/yet");
		expect(files.resolve("/tmp/link/new/file")).toBe("/workspace/d/new/file");
	});

	it("may hold what no name may", () => {
		const files = someFiles();
		expect(codeOf(() => files.symlink("", "/workspace/e"))).toBe("ENOENT");
		expect(codeOf(() => files.symlink("a\0", "/workspace/e"))).toBe("EINVAL");
		expect(codeOf(() => files.symlink("\udc00", "/workspace/e"))).toBe("EINVAL");
		expect(codeOf(() => files.symlink("a".repeat(4_096), "/workspace/e"))).toBe("ENAMETOOLONG");
		files.symlink("é//../x/", "/workspace/e");
		expect([files.readLink("/workspace/e"), files.lstat("/workspace/e").size]).toEqual(["é//../x/", 9]);
	});
});
