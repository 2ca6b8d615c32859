import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../src/workspace/file-system";
import { FsError } from "../../src/workspace/fs-error";
import { dropRoot, openRoot } from "../../src/workspace/open-file-system";
import { faultsOf } from "../support/node/file-invariants";
import { documentsOf, memoryWorkspace } from "../support/node/workspace";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const chunk = 524_288;

function codeOf(run: () => unknown): string {
	try {
		run();
		return "done";
	} catch (error) {
		if (error instanceof FsError) return error.code;
		throw error;
	}
}

/** A file, a directory with one in it, and symlinks. */
function begin(): FileSystem {
	const { files } = memoryWorkspace({
		documents: documentsOf({ "/skills/one/SKILL.md": "# One", "/memory/MEMORY.md": "é", "/artifacts/42": "out" }),
	});
	files.makeDirectory("/workspace/d");
	files.write("/workspace/f", bytes("hello"));
	files.write("/workspace/d/x", bytes("x"));
	files.symlink("missing", "/workspace/dangling");
	files.symlink("loop", "/workspace/loop");
	return files;
}

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
		const files = begin();
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
		const files = begin();
		expect(codeOf(() => files.write(path, bytes("1")))).toBe(code);
		expect(codeOf(() => files.stat(path))).toBe(code);
	});

	it("are told apart by case and by Unicode form, and listed in byte order", () => {
		const files = begin();
		const names = ["B", "a", "b", "ä", "a\u0308", "\uffff", "😀", "a.b", "a b"];
		for (const name of names) files.write(`/workspace/d/${name}`, bytes(name));
		const listed = files.readDirectory("/workspace/d").map((entry) => entry.name);
		const sorted = [...names, "x"].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
		expect(listed).toEqual(sorted);
	});
});

describe("symlinks", () => {
	it("are followed forty times and no more", () => {
		const files = begin();
		files.symlink("/workspace/f", "/workspace/link1");
		for (let number = 2; number <= 41; number++) files.symlink(`link${number - 1}`, `/workspace/link${number}`);
		expect(text(files.read("/workspace/link40"))).toBe("hello");
		expect(codeOf(() => files.read("/workspace/link41"))).toBe("ELOOP");
	});

	it("are resolved physically, from our root, into every tree", () => {
		const files = begin();
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
		const files = begin();
		expect(codeOf(() => files.symlink("", "/workspace/e"))).toBe("ENOENT");
		expect(codeOf(() => files.symlink("a\0", "/workspace/e"))).toBe("EINVAL");
		expect(codeOf(() => files.symlink("\udc00", "/workspace/e"))).toBe("EINVAL");
		expect(codeOf(() => files.symlink("a".repeat(4_096), "/workspace/e"))).toBe("ENAMETOOLONG");
		files.symlink("é//../x/", "/workspace/e");
		expect([files.readLink("/workspace/e"), files.lstat("/workspace/e").size]).toEqual(["é//../x/", 9]);
	});
});

describe("what cannot be changed", () => {
	const paths = ["/new", "/skills/new", "/skills/one/SKILL.md", "/memory/MEMORY.md", "/memory/new", "/artifacts/42"];
	it.each(paths)("refuses to write %s", (path) => {
		const files = begin();
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
		const files = begin();
		expect(codeOf(() => files.removeTree(path))).toBe("EROFS");
		expect(codeOf(() => files.removeDirectory(path))).toBe("EROFS");
		expect(codeOf(() => files.unlink(path))).toBe("EROFS");
		expect(codeOf(() => files.rename(path, "/workspace/new"))).toBe("EROFS");
		expect(codeOf(() => files.makeDirectory(path))).toBe("EEXIST");
		expect(codeOf(() => files.makeDirectory(path, { parents: true }))).toBe("done");
		expect(codeOf(() => files.write(path, bytes("1")))).toBe("EISDIR");
	});

	it("is listed and read as files are", () => {
		const files = begin();
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

describe("the limits", () => {
	const limited = () => memoryWorkspace({ maxFileBytes: 10, maxBytes: 25 });

	it("refuse a file that is too large, with its size and theirs", () => {
		const { files, db } = limited();
		const message = "EFBIG: file too large: 11 bytes, at most 10 are allowed in one file, '/workspace/a'";
		expect(() => files.write("/workspace/a", new Uint8Array(11))).toThrow(message);
		expect(codeOf(() => files.stat("/workspace/a"))).toBe("ENOENT");
		files.write("/workspace/a", bytes("0123456789"));
		expect(() => files.append("/workspace/a", bytes("+"))).toThrow(message);
		expect(() => files.writeAt("/workspace/a", 10, bytes("+"))).toThrow(message);
		expect(() => files.truncate("/workspace/a", 11)).toThrow(message);
		expect(codeOf(() => files.beginContent().write(new Uint8Array(11)))).toBe("EFBIG");
		expect(text(files.read("/workspace/a"))).toBe("0123456789");
		expect(faultsOf(db)).toEqual([]);
	});

	it("refuse what passes the quota, with what is used, and change nothing", () => {
		const { files, db } = limited();
		for (const name of ["a", "b"]) files.write(`/workspace/${name}`, bytes("0123456789"));
		const refusals = [
			() => files.write("/workspace/c", bytes("012345")),
			() => files.copyFile("/workspace/a", "/tmp/c"),
			() => files.truncate("/tmp/missing", 6),
		];
		expect(refusals.map(codeOf)).toEqual(["EDQUOT", "EDQUOT", "ENOENT"]);
		expect(refusals[0]).toThrow(
			"EDQUOT: quota exceeded: 20 of 25 bytes are used, 6 more were asked for, '/workspace/c'",
		);
		files.write("/workspace/a", bytes("0"));
		files.write("/workspace/c", bytes("0123456789"));
		files.unlink("/workspace/b");
		expect(faultsOf(db)).toEqual([]);
	});
});

describe("content", () => {
	it("is read as it was by a reader who has begun", () => {
		const { files, db } = memoryWorkspace();
		const old = new Uint8Array(3 * chunk).map((_, index) => 1 + (index >> 19));
		files.write("/workspace/a", old);
		const before = files.readPieces("/workspace/a");
		const pieces = [before.next().value];
		files.write("/workspace/a", bytes("new"));
		pieces.push(before.next().value);
		files.unlink("/workspace/a");
		expect(faultsOf(db)).toEqual([]);
		pieces.push(...before);
		expect(pieces.map((piece) => [piece?.length, piece?.at(-1)])).toEqual([1, 2, 3].map((value) => [chunk, value]));
		expect([...db.exec("SELECT hash FROM chunks")]).toEqual([]);
	});

	it("is let go by a reader who stops, and kept for another", () => {
		const { files, db } = memoryWorkspace();
		files.write("/workspace/a", new Uint8Array(2 * chunk).fill(1));
		const [one, two] = [files.readPieces("/workspace/a"), files.readPieces("/workspace/a")];
		files.write("/workspace/a", bytes("new"));
		one.return();
		expect([...two].map((piece) => piece.length)).toEqual([chunk, chunk]);
		expect([...db.exec("SELECT hash FROM chunks")]).toHaveLength(1);
	});

	it("survives the reader of a change that was given up", () => {
		const { files, db } = memoryWorkspace();
		files.write("/workspace/a", bytes("kept"));
		const reader = files.readPieces("/workspace/a");
		expect(() =>
			files.atomically(() => {
				files.unlink("/workspace/a");
				throw new Error("given up");
			}),
		).toThrow("given up");
		reader.return();
		expect(text(files.read("/workspace/a"))).toBe("kept");
		expect(faultsOf(db)).toEqual([]);
	});

	it("takes no room where it is zero, nor twice where it is equal", () => {
		const { files, db } = memoryWorkspace();
		files.write("/workspace/zeros", new Uint8Array(10 * chunk));
		files.truncate("/workspace/zeros", 100 * chunk);
		files.write("/workspace/a", bytes("same"));
		files.write("/workspace/b", bytes("same"));
		files.copyFile("/workspace/a", "/workspace/c");
		expect([...db.exec("SELECT hash FROM chunks")]).toHaveLength(1);
		expect(files.read("/workspace/zeros", { offset: 50 * chunk, length: 3 })).toEqual(new Uint8Array(3));
	});

	it("has one digest however it came to be", () => {
		const { files } = memoryWorkspace();
		const content = new Uint8Array(chunk + 7);
		content[3] = 1;
		files.write("/workspace/whole", content);
		files.write("/workspace/grown", content.subarray(0, 4));
		files.truncate("/workspace/grown", content.length);
		const writer = files.beginContent();
		for (const byte of [0, 0, 0, 1]) writer.write(new Uint8Array([byte]));
		writer.write(new Uint8Array(chunk + 3));
		files.place("/workspace/placed", writer);
		const digests = ["whole", "grown", "placed"].map((name) => files.digest(`/workspace/${name}`));
		expect(new Set(digests).size).toBe(1);
		files.truncate("/workspace/grown", content.length + 1);
		expect(files.digest("/workspace/grown")).not.toBe(digests[0]);
	});

	it("is placed once, and not after it was given up", () => {
		const { files, db } = memoryWorkspace();
		const writer = files.beginContent();
		writer.write(new Uint8Array(chunk + 1).fill(1));
		expect(codeOf(() => files.place("/workspace/missing/a", writer))).toBe("ENOENT");
		files.place("/workspace/a", writer);
		writer.discard();
		expect(files.stat("/workspace/a").size).toBe(chunk + 1);
		expect(() => files.place("/workspace/b", writer)).toThrow(/placed or discarded/);
		expect(faultsOf(db)).toEqual([]);
	});

	it("of a large file is appended to by its last chunk alone", () => {
		const { files, db } = memoryWorkspace();
		files.write(
			"/workspace/a",
			new Uint8Array(4 * chunk + 5).map((_, index) => 1 + (index >> 19)),
		);
		const hashes = () =>
			new Set(
				[...db.exec<{ hash: ArrayBuffer }>("SELECT hash FROM chunks")].map(({ hash }) =>
					Buffer.from(hash).toString("hex"),
				),
			);
		const before = hashes();
		files.append("/workspace/a", bytes("!"));
		const after = hashes();
		expect(after.size).toBe(5);
		expect([...after].filter((hash) => !before.has(hash))).toHaveLength(1);
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
		const files = begin();
		expect(codeOf(() => files.makeDirectory(`/workspace/new/${"a".repeat(256)}/b`, { parents: true }))).toBe(
			"ENAMETOOLONG",
		);
		expect(codeOf(() => files.stat("/workspace/new"))).toBe("ENOENT");
	});

	it("stays in its tree", () => {
		const files = begin();
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
