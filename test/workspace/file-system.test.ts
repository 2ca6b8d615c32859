import { describe, expect, it } from "vitest";
import { dropRoot, openRoot } from "../../src/workspace/open-file-system";
import { faultsOf } from "../support/node/file-invariants";
import { bytes, codeOf, memoryWorkspace, someFiles, text } from "../support/node/workspace";

describe("what cannot be changed", () => {
	const paths = ["/new", "/skills/new", "/skills/one/SKILL.md", "/memory/MEMORY.md", "/memory/new", "/artifacts/42"];
	it.each(paths)("refuses to write %s", (path) => {
		const files = someFiles();
		const isThere = codeOf(() => files.stat(path)) === "done";
		expect(codeOf(() => files.write(path, bytes("1")))).toBe("EROFS");
		expect(codeOf(() => files.append(path, bytes("1")))).toBe("EROFS");
		expect(codeOf(() => files.copyFile("/workspace/f", path))).toBe("EROFS");
		expect(codeOf(() => files.rename("/workspace/f", path))).toBe("EROFS");
		expect(codeOf(() => files.symlink("x", path))).toBe(isThere ? "EEXIST" : "EROFS");
		expect(codeOf(() => files.makeDirectory(path))).toBe(isThere ? "EEXIST" : "EROFS");
		for (const run of [files.unlink, files.removeTree, (at: string) => files.chmod(at, 0o600)]) {
			expect(codeOf(() => run(path))).toBe(isThere ? "EROFS" : "ENOENT");
		}
	});

	it.each(["/", "/workspace", "/tmp", "/skills", "/memory", "/artifacts"])("keeps %s where it is", (path) => {
		const files = someFiles();
		expect(codeOf(() => files.removeTree(path))).toBe("EROFS");
		expect(codeOf(() => files.removeDirectory(path))).toBe("EROFS");
		expect(codeOf(() => files.unlink(path))).toBe("EROFS");
		expect(codeOf(() => files.rename(path, "/workspace/new"))).toBe("EROFS");
		expect(codeOf(() => files.makeDirectory(path))).toBe("EEXIST");
		expect(codeOf(() => files.makeDirectory(path, { parents: true }))).toBe("done");
		expect(codeOf(() => files.write(path, bytes("1")))).toBe("EISDIR");
	});

	it("is listed and read as files are", () => {
		const files = someFiles();
		expect(files.readDirectory("/").map(({ name }) => name)).toEqual(
			"artifacts,memory,skills,tmp,workspace".split(","),
		);
		expect([...files.walk("/skills")].map(({ path, stat }) => [path, stat.kind, stat.size])).toEqual([
			["/skills/one", "directory", 0],
			["/skills/one/SKILL.md", "file", 5],
		]);
		files.copyFile("/memory/MEMORY.md", "/workspace/copy");
		expect(files.digest("/workspace/copy")).toBe(files.digest("/memory/MEMORY.md"));
		expect(files.stat("/memory/MEMORY.md")).toMatchObject({ mode: 0o444, size: 2, mtimeMs: 1_000 });
		expect(codeOf(() => files.read("/memory"))).toBe("EISDIR");
		expect(codeOf(() => files.read("/skills/two/SKILL.md"))).toBe("ENOENT");
		expect(codeOf(() => files.read("/memory/MEMORY.md/x"))).toBe("ENOTDIR");
	});
});

describe("a directory", () => {
	it("has the time of its last change, the clock being handed in", () => {
		let now = 1_000;
		const { files } = memoryWorkspace({ now: () => now });
		const timeOf = (path: string) => [files.stat(path).mtimeMs, files.stat(path).ctimeMs];
		files.makeDirectory("/workspace/d");
		now = 2_000;
		files.write("/workspace/d/a", bytes("1"));
		expect(timeOf("/workspace/d")).toEqual([2_000, 2_000]);
		now = 3_000;
		files.write("/workspace/d/a", bytes("2"));
		expect(timeOf("/workspace/d")).toEqual([2_000, 2_000]);
		files.chmod("/workspace/d/a", 0o600);
		expect(timeOf("/workspace/d/a")).toEqual([3_000, 3_000]);
		now = 4_000;
		files.rename("/workspace/d/a", "/workspace/b");
		expect([timeOf("/workspace/d"), timeOf("/workspace"), timeOf("/workspace/b")]).toEqual([
			[4_000, 4_000],
			[4_000, 4_000],
			[3_000, 4_000],
		]);
	});

	it("is made with all its parents or not at all", () => {
		const files = someFiles();
		expect(codeOf(() => files.makeDirectory(`/workspace/new/${"a".repeat(256)}/b`, { parents: true }))).toBe(
			"ENAMETOOLONG",
		);
		expect(codeOf(() => files.stat("/workspace/new"))).toBe("ENOENT");
	});

	it("stays in its tree", () => {
		const files = someFiles();
		expect(codeOf(() => files.rename("/workspace/f", "/tmp/f"))).toBe("EXDEV");
		expect(codeOf(() => files.rename("/tmp", "/workspace/f"))).toBe("EROFS");
	});

	it("may hold very many files and be walked", () => {
		const { files } = memoryWorkspace();
		files.atomically(() => {
			for (let number = 0; number < 20_000; number++) files.write(`/workspace/${number}`, bytes("1"));
		});
		expect([...files.walk("/workspace")]).toHaveLength(20_000);
	});

	it("may be deeper than a path can say, and is removed all the same", () => {
		const { files, db } = memoryWorkspace();
		const deep = `/workspace${"/d".repeat(1_500)}`;
		for (const name of ["a", "b"]) {
			files.makeDirectory(deep.replace("/d", `/${name}`), { parents: true });
		}
		files.rename("/workspace/b", `${deep.replace("/d", "/a")}/b`);
		files.removeTree("/workspace/a");
		expect(files.readDirectory("/workspace")).toEqual([]);
		expect(faultsOf(db)).toEqual([]);
	});
});

describe("a root", () => {
	it("is dropped with everything in it, and made again empty", () => {
		const { files, db, options } = memoryWorkspace();
		files.write("/tmp/a", bytes("1"));
		files.write("/workspace/a", bytes("1"));
		dropRoot(db, "tmp:test");
		dropRoot(db, "tmp:test");
		expect(faultsOf(db)).toEqual([]);
		expect(openRoot(db, "tmp:test")).not.toBe(options.roots.tmp.inode);
		expect(openRoot(db, "workspace")).toBe(options.roots.workspace.inode);
		expect(text(files.read("/workspace/a"))).toBe("1");
	});
});
