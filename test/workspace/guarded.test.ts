import { describe, expect, it } from "vitest";
import type { FileRules } from "../../src/gates/file";
import type { FileSystem } from "../../src/workspace/file-system";
import { FsError } from "../../src/workspace/fs-error";
import { FileRefused, guarded, resolveAsked } from "../../src/workspace/guarded";
import { contentsOf, openFiles, plant } from "../support/node/open-files";

const rules = (over: Partial<FileRules> = {}): FileRules => ({
	root: "/workspace/in",
	entries: [],
	memoryAcl: false,
	mayWriteProtected: false,
	...over,
});

function open(over: Partial<FileRules> = {}) {
	const raw = openFiles();
	plant(raw, {
		"/workspace/in/a.txt": "a",
		"/workspace/in/sub/b.txt": "b",
		"/workspace/in/.env": "KEY=1",
		"/workspace/in/kept/MEMORY.md": "remembered",
		"/workspace/out/secret": "secret",
	});
	raw.symlink("../out", "/workspace/in/ln");
	raw.symlink("sub", "/workspace/in/dir");
	raw.symlink("sub/b.txt", "/workspace/in/file");
	raw.symlink("sub/new.txt", "/workspace/in/soon");
	raw.symlink("/workspace/nowhere", "/workspace/in/dang");
	raw.symlink("kept/MEMORY.md", "/workspace/in/memory-link");
	return { raw, files: guarded(raw, rules(over)) };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (files: FileSystem, path: string) => new TextDecoder().decode(files.read(path));

/** Why a use is refused, POSIX's word where the files themselves refuse it. */
function reasonOf(use: () => unknown): string {
	try {
		use();
		return "ok";
	} catch (error) {
		if (error instanceof FileRefused) return error.reason;
		if (error instanceof FsError) return error.code;
		throw error;
	}
}

type Use = (files: FileSystem, path: string) => unknown;
const readers: Readonly<Record<string, Use>> = {
	stat: (files, path) => files.stat(path),
	lstat: (files, path) => files.lstat(path),
	resolve: (files, path) => files.resolve(path),
	readDirectory: (files, path) => files.readDirectory(path),
	readLink: (files, path) => files.readLink(path),
	read: (files, path) => files.read(path),
	readPieces: (files, path) => files.readPieces(path),
	digest: (files, path) => files.digest(path),
	walk: (files, path) => [...files.walk(path)],
	walkContent: (files, path) => [...files.walkContent(path)],
	walkChunks: (files, path) => [...files.walkChunks(path)],
	copyFrom: (files, path) => files.copyFile(path, "/workspace/in/got"),
};
const writers: Readonly<Record<string, Use>> = {
	write: (files, path) => files.write(path, bytes("x")),
	exclusive: (files, path) => files.write(path, bytes("x"), { exclusive: true }),
	append: (files, path) => files.append(path, bytes("x")),
	writeAt: (files, path) => files.writeAt(path, 3, bytes("x")),
	truncate: (files, path) => files.truncate(path, 0),
	place: (files, path) => files.place(path, files.beginContent()),
	makeDirectory: (files, path) => files.makeDirectory(path),
	makeParents: (files, path) => files.makeDirectory(path, { parents: true }),
	removeDirectory: (files, path) => files.removeDirectory(path),
	unlink: (files, path) => files.unlink(path),
	removeTree: (files, path) => files.removeTree(path),
	renameFrom: (files, path) => files.rename(path, "/workspace/in/got"),
	renameTo: (files, path) => files.rename("/workspace/in/a.txt", path),
	copyTo: (files, path) => files.copyFile("/workspace/in/a.txt", path),
	symlink: (files, path) => files.symlink("a.txt", path),
	chmod: (files, path) => files.chmod(path, 0o777),
	setTimes: (files, path) => files.setTimes(path, { mtimeMs: 1 }),
};
const methods = Object.entries({ ...readers, ...writers });

describe("guarded", () => {
	it("has a case for every method", () => {
		const { copyFrom, makeParents, exclusive, renameFrom, renameTo, copyTo, ...rest } = { ...readers, ...writers };
		const covered = [...Object.keys(rest), "rename", "copyFile", "beginContent", "atomically"];
		expect(Object.keys(open().files).toSorted()).toEqual(covered.toSorted());
	});

	it.each(methods)("refuses %s out of the root, by name and by link, and changes nothing", (_, use) => {
		const { raw, files } = open();
		const before = contentsOf(raw);
		for (const path of ["/workspace/out/secret", "/workspace/out/none", "/workspace", "/workspace/in2", "/etc"]) {
			expect(reasonOf(() => use(files, path))).toMatch(/^(outside_root|invalid_path)$/);
		}
		for (const path of ["ln/secret", "ln/none", "ln/secret/x"]) {
			expect(reasonOf(() => use(files, `/workspace/in/${path}`))).toBe("symlink_escape");
		}
		expect(contentsOf(raw)).toEqual(before);
	});

	it.each(Object.entries(writers))("refuses %s to the documents", (_, use) => {
		const { files } = open();
		for (const path of ["/skills/x/SKILL.md", "/memory/MEMORY.md", "/artifacts/2"]) {
			expect(reasonOf(() => use(files, path))).toBe("outside_root");
		}
	});

	it.each(methods)("refuses %s of the memory while it is closed", (_, use) => {
		const { raw, files } = open({ memoryAcl: true });
		const before = contentsOf(raw);
		for (const path of ["/workspace/in/kept/MEMORY.md", "/workspace/in/Memory.MD", "/memory/MEMORY.md", "/memory"]) {
			expect(reasonOf(() => use(files, path))).toBe("memory_acl");
		}
		expect(contentsOf(raw)).toEqual(before);
	});

	it.each(["stat", "read", "write", "append", "truncate", "copyFrom", "copyTo", "chmod", "setTimes"])(
		"follows the last link for %s, and refuses where it leads",
		(name) => {
			const { files } = open({ memoryAcl: true });
			const use = { ...readers, ...writers }[name];
			expect(reasonOf(() => use?.(files, "/workspace/in/file"))).toBe("ok");
			expect(reasonOf(() => use?.(files, "/workspace/in/dang"))).toBe("symlink_escape");
			expect(reasonOf(() => use?.(files, "/workspace/in/memory-link"))).toBe("memory_acl");
		},
	);

	it.each(["lstat", "readLink", "unlink", "removeTree", "renameFrom", "renameTo"])(
		"takes the link itself for %s",
		(name) => {
			const { raw, files } = open({ memoryAcl: true });
			const use = { ...readers, ...writers }[name];
			for (const link of ["ln", "dang", "memory-link"]) {
				expect(reasonOf(() => use?.(files, `/workspace/in/${link}`))).toMatch(/^(ok|ENOENT)$/);
			}
			expect(read(raw, "/workspace/out/secret")).toBe("secret");
			expect(read(raw, "/workspace/in/kept/MEMORY.md")).toBe("remembered");
		},
	);
});

describe("a guarded file", () => {
	it("is found at once behind a link to a path of two thousand names", () => {
		const { files } = open();
		const deep = `/workspace/in${"/a".repeat(1_900)}`;
		files.makeDirectory(deep, { parents: true });
		files.symlink(deep, "/workspace/in/deep");
		const startedAt = performance.now();
		expect(files.stat("/workspace/in/deep").kind).toBe("directory");
		expect(performance.now() - startedAt).toBeLessThan(5_000);
	});

	it("is read and written through links inside the root", () => {
		const { raw, files } = open();
		expect(read(files, "/workspace/in/dir/b.txt")).toBe("b");
		files.write("/workspace/in/file", bytes("new"));
		files.write("/workspace/in/soon", bytes("made"));
		expect(read(raw, "/workspace/in/sub/b.txt")).toBe("new");
		expect(read(raw, "/workspace/in/sub/new.txt")).toBe("made");
		expect(files.lstat("/workspace/in/soon").kind).toBe("symlink");
	});

	it("is not made behind a link when it must not exist yet", () => {
		const { files } = open();
		expect(reasonOf(() => files.write("/workspace/in/soon", bytes("x"), { exclusive: true }))).toBe("EEXIST");
		expect(reasonOf(() => files.stat("/workspace/in/sub/new.txt"))).toBe("ENOENT");
	});

	it("keeps POSIX's own refusals", () => {
		const { files } = open();
		expect(reasonOf(() => files.read("/workspace/in/none"))).toBe("ENOENT");
		expect(reasonOf(() => files.read("/workspace/in/sub"))).toBe("EISDIR");
		expect(reasonOf(() => files.readDirectory("/workspace/in/a.txt"))).toBe("ENOTDIR");
		expect(reasonOf(() => files.makeDirectory("/workspace/in/sub"))).toBe("EEXIST");
	});

	it("is opened by an entry of the list, and documents and names of / to everyone's eyes", () => {
		const { files } = open({ entries: ["../out"] });
		expect(read(files, "/workspace/in/ln/secret")).toBe("secret");
		expect(read(files, "/skills/x/SKILL.md")).toBe("# x");
		files.write("/tmp/a", bytes("x"));
		expect(files.stat("/").kind).toBe("directory");
		expect(
			guarded(openFiles(), rules({ root: "/workspace" }))
				.readDirectory("/")
				.map(({ name }) => name),
		).toEqual(expect.arrayContaining(["workspace", "tmp", "skills"]));
	});
});

describe("a guarded control file", () => {
	it.each<[string, (files: FileSystem) => void]>([
		["written by a link", (files) => files.write("/workspace/in/link/config", bytes("x"))],
		["moved away", (files) => files.rename("/workspace/in/.env", "/workspace/in/env")],
		["moved in", (files) => files.rename("/workspace/in/a.txt", "/workspace/in/.npmrc")],
		["copied in", (files) => files.copyFile("/workspace/in/a.txt", "/workspace/in/.git/hooks/pre-commit")],
		["moved in with its folder", (files) => files.rename("/workspace/in/sub", "/workspace/in/.vscode")],
		["moved in as a part of git", (files) => files.rename("/workspace/in/sub", "/workspace/in/.git/info")],
		["linked in with its folder", (files) => files.symlink("sub", "/workspace/in/.claude")],
		["made executable", (files) => files.chmod("/workspace/in/.env", 0o755)],
	])("is not %s", (_, use) => {
		const { raw, files } = open();
		files.makeDirectory("/workspace/in/.git/hooks", { parents: true });
		files.symlink(".git", "/workspace/in/link");
		const before = contentsOf(raw);
		expect(reasonOf(() => use(files))).toBe("protected_path");
		expect(contentsOf(raw)).toEqual(before);
		expect(reasonOf(() => use(guarded(raw, rules({ mayWriteProtected: true }))))).toBe("ok");
	});

	it("is read, and moves and goes with a project as a whole", () => {
		const { raw, files } = open();
		plant(raw, { "/workspace/in/project/.git/config": "[core]" });
		expect(read(files, "/workspace/in/project/.git/config")).toBe("[core]");
		files.rename("/workspace/in/project", "/workspace/in/project2");
		files.removeTree("/workspace/in/project2");
		expect(reasonOf(() => files.stat("/workspace/in/project2"))).toBe("ENOENT");
	});
});

describe("a guarded directory", () => {
	it("shows nothing of a closed memory, in lists and walks", () => {
		const { files } = open({ memoryAcl: true, root: "/workspace" });
		expect(files.readDirectory("/workspace/in/kept")).toEqual([]);
		const walked = [...files.walk("/")].map(({ path }) => path);
		expect(walked).toContain("/workspace/in/kept");
		expect(walked.filter((path) => /memory\.md|^\/memory/i.test(path))).toEqual([]);
		expect(files.readDirectory("/").map(({ name }) => name)).not.toContain("memory");
	});

	it("is neither moved nor deleted while a closed memory lies in it", () => {
		const { files } = open({ memoryAcl: true });
		expect(reasonOf(() => files.rename("/workspace/in/kept", "/workspace/in/kept2"))).toBe("memory_acl");
		expect(reasonOf(() => files.removeTree("/workspace/in/kept"))).toBe("memory_acl");
		expect(reasonOf(() => files.removeTree("/workspace/in/sub"))).toBe("ok");
	});

	it("is walked within the roots alone, named as it was asked for", () => {
		const { files } = open();
		expect([...files.walk("/workspace/in/dir")].map(({ path }) => path)).toEqual(["/workspace/in/dir/b.txt"]);
		const entered: string[] = [];
		const walked = [...files.walk("/", (path) => entered.push(path) > 0)].map(({ path }) => path);
		expect([...walked, ...entered].filter((path) => path.startsWith("/workspace"))).toEqual([]);
		expect(walked).toContain("/skills/x/SKILL.md");
		expect([...files.walk("/workspace/in")].map(({ path }) => path)).toContain("/workspace/in/ln");
	});

	it("is a root that stays", () => {
		const { files } = open({ entries: ["sub"] });
		for (const path of ["/", "/tmp", "/workspace", "/workspace/in"]) {
			for (const use of [files.removeTree, files.removeDirectory, files.unlink]) {
				expect(reasonOf(() => use(path))).toBe("invalid_path");
			}
			expect(reasonOf(() => files.rename(path, "/workspace/in/x"))).toBe("invalid_path");
		}
	});
});

describe("resolveAsked", () => {
	it("begins in the root and refuses what is no path", () => {
		expect(resolveAsked("a/../b", rules())).toBe("/workspace/in/b");
		expect(reasonOf(() => resolveAsked("", rules()))).toBe("invalid_path");
		expect(reasonOf(() => resolveAsked("a".repeat(256), rules()))).toBe("name_too_long");
	});
});
