import { describe, expect, it } from "vitest";
import { openFiles, plant } from "../support/node/open-files";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("a walk with content", () => {
	it("finds what a walk finds, and reads it", () => {
		const files = openFiles();
		plant(files, { "/workspace/a": "one", "/workspace/b/c": "two", "/tmp/d": "three" });
		expect(Array.from(files.walkContent("/"), ({ path, stat }) => ({ path, stat }))).toEqual([...files.walk("/")]);
		const regular = [...files.walkContent("/")].filter(({ stat }) => stat.kind === "file");
		expect(regular.map(({ path, read }) => [path, text(read())])).toEqual(
			regular.map(({ path }) => [path, text(files.read(path))]),
		);
		expect(regular).toHaveLength(6);
	});

	it("enters the directories that it is told to", () => {
		const files = openFiles();
		plant(files, { "/workspace/a/x": "", "/workspace/b/y": "" });
		const found = files.walkContent("/workspace", (path) => path === "/workspace/b");
		expect(Array.from(found, ({ path }) => path)).toEqual(["/workspace/a", "/workspace/b", "/workspace/b/y"]);
	});

	it("reads what is there when it is asked to, and says when nothing is", () => {
		const files = openFiles();
		plant(files, { "/workspace/a": "one", "/workspace/b": "two" });
		const [a, b] = [...files.walkContent("/workspace")];
		files.write("/workspace/a", new TextEncoder().encode("changed"));
		files.unlink("/workspace/b");
		expect(a && text(a.read())).toBe("changed");
		expect(() => b?.read()).toThrow(expect.objectContaining({ code: "ENOENT", path: "/workspace/b" }));
	});
});
