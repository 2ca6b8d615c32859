import { describe, expect, it } from "vitest";
import { chunkBytes, hashOf } from "../../src/workspace/chunks";
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

describe("a walk with chunks", () => {
	it("finds what a walk finds, with where links lead and the hashes of what files hold", () => {
		const files = openFiles();
		const large = new Uint8Array(2 * chunkBytes + 1).fill(7, chunkBytes);
		plant(files, { "/workspace/a": "one", "/workspace/b/c": "", "/tmp/d": "three" });
		files.write("/workspace/large", large);
		files.symlink("../b", "/workspace/b/link");
		const found = [...files.walkChunks("/")];
		expect(found.map(({ path, stat }) => ({ path, stat }))).toEqual([...files.walk("/")]);
		for (const { path, stat, chunks, target } of found) {
			const pieces = stat.kind === "file" ? Array.from(files.readPieces(path), hashOf) : [];
			expect(Buffer.from(chunks)).toEqual(Buffer.concat(pieces));
			expect(target).toBe(stat.kind === "symlink" ? files.readLink(path) : null);
		}
	});
});
