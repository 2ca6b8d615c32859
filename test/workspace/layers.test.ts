import { describe, expect, it } from "vitest";
import { bytesOf, changesOf, commitLayer, createLayer, dropLayer } from "../../src/workspace/layers";
import { openFileSystem } from "../../src/workspace/open-file-system";
import { TemporaryLayer } from "../../src/workspace/target";
import { faultsOf } from "../support/node/file-invariants";
import { memoryWorkspace, rootIn } from "../support/node/workspace";

const bytes = (text: string) => new TextEncoder().encode(text);
type Files = ReturnType<typeof openFileSystem>;
const text = (files: Files, path: string) => new TextDecoder().decode(files.read(`/workspace/${path}`));

/** A workspace with some files, and a way to work in layers of it. */
function begin(maxBytes = 1_000_000) {
	const { db, files, options, inode } = memoryWorkspace();
	for (const dir of ["d", "d/e", "empty"]) files.makeDirectory(`/workspace/${dir}`);
	for (const path of ["a", "b", "d/x", "d/y", "d/e/z"]) files.write(`/workspace/${path}`, bytes(path));
	const over = (parent: number) => {
		const layer = createLayer(db, { parent });
		const roots = { ...options.roots, workspace: rootIn(inode, layer) };
		return { layer, files: openFileSystem(db, { ...options, maxBytes, roots }) };
	};
	const snapshot = () => [...files.walk("/workspace")];
	return { db, files, inode, over, snapshot };
}

type Change = (files: Files) => void;
const write =
	(path: string, content = `new ${path}`): Change =>
	(files) =>
		files.write(`/workspace/${path}`, bytes(content));
const remove =
	(path: string): Change =>
	(files) =>
		files.removeTree(`/workspace/${path}`);
const move =
	(from: string, to: string): Change =>
	(files) =>
		files.rename(`/workspace/${from}`, `/workspace/${to}`);
const makeDirectory =
	(path: string): Change =>
	(files) =>
		files.makeDirectory(`/workspace/${path}`);
const chmod =
	(path: string): Change =>
	(files) =>
		files.chmod(`/workspace/${path}`, 0o700);

describe("a layer", () => {
	it("shows what it lies on, and its own changes before that", () => {
		const { files, over } = begin();
		const { files: inside } = over(0);
		write("a")(inside);
		remove("d/e")(inside);
		write("d/new")(inside);
		move("b", "d/b")(inside);
		expect([...inside.walk("/workspace")].map(({ path }) => path.slice(11))).toEqual([
			..."a,d,d/b,d/new,d/x,d/y,empty".split(","),
		]);
		expect([text(inside, "a"), text(inside, "d/b"), text(files, "a")]).toEqual(["new a", "b", "a"]);
		write("d/y", "changed below")(files);
		expect(text(inside, "d/y")).toBe("changed below");
	});

	it("becomes part of what it lies on, once", () => {
		const { db, files, over } = begin();
		const { layer, files: inside } = over(0);
		write("a", "12345678")(inside);
		move("d", "moved")(inside);
		const before = bytesOf(db, 0);
		expect(bytesOf(db, layer)).toBe(8);
		expect(commitLayer(db, layer)).toEqual({ ok: true });
		expect([text(files, "a"), text(files, "moved/e/z")]).toEqual(["12345678", "d/e/z"]);
		expect([bytesOf(db, 0), bytesOf(db, layer)]).toEqual([before + 7, 0]);
		expect(() => commitLayer(db, layer)).toThrow(/is gone/);
		expect(() => inside.stat("/workspace/a")).toThrow(/is gone/);
		expect(faultsOf(db)).toEqual([]);
	});

	it("moves a directory of any size by a fixed number of rows", () => {
		const { db, files, over } = begin();
		for (let number = 0; number < 500; number++) write(`d/${number}`)(files);
		const { layer, files: inside } = over(0);
		move("d", "e")(inside);
		const [row] = db.exec<{ count: number }>("SELECT count(*) AS count FROM nodes WHERE layer = ?", layer);
		expect(row?.count).toBe(2);
	});

	it("is dropped with all that was in it", () => {
		const { db, over, snapshot } = begin();
		const before = snapshot();
		const { layer, files: inside } = over(0);
		write("a")(inside);
		remove("d")(inside);
		dropLayer(db, layer);
		dropLayer(db, layer);
		expect(snapshot()).toEqual(before);
		expect(faultsOf(db)).toEqual([]);
	});

	it("refuses the write that passes its cap, and keeps what it has", () => {
		const { db, over } = begin(20);
		const { layer, files: inside } = over(0);
		write("a", "0123456789")(inside);
		expect(() => write("b", "0123456789+")(inside)).toThrow(
			"EDQUOT: quota exceeded: 10 of 20 bytes are used, 11 more were asked for, '/workspace/b'",
		);
		expect([text(inside, "a"), text(inside, "b"), bytesOf(db, layer)]).toEqual(["0123456789", "b", 10]);
		write("b", "0123456789")(inside);
		expect(commitLayer(db, layer)).toEqual({ ok: true });
		expect(faultsOf(db)).toEqual([]);
	});

	it("counts no bytes for what it only moves or chmods", () => {
		const { db, over } = begin(20);
		const { layer, files: inside } = over(0);
		move("d/e/z", "z")(inside);
		chmod("a")(inside);
		expect(bytesOf(db, layer)).toBe(0);
		inside.append("/workspace/a", bytes("!"));
		expect(bytesOf(db, layer)).toBe(2);
	});

	it("is made anew when the changes that made it are given up", () => {
		const { db, files: base, options, inode } = memoryWorkspace();
		const layer = new TemporaryLayer(db, rootIn(inode));
		const files = openFileSystem(db, { ...options, roots: { ...options.roots, workspace: layer } });
		const tooMuch = () => {
			files.write("/workspace/a", bytes("1"));
			throw new Error("given up");
		};
		expect(() => files.atomically(tooMuch)).toThrow("given up");
		const other = createLayer(db, { parent: 0 });
		files.write("/workspace/b", bytes("2"));
		expect(layer.changes().map(({ path }) => path)).toEqual(["/workspace/b"]);
		expect([layer.commit(), bytesOf(db, other)]).toEqual([[], 0]);
		expect(base.readDirectory("/workspace")).toEqual([{ name: "b", kind: "file" }]);
	});

	it("tells its changes by path, a rename as removed and added", () => {
		const { db, inode, over } = begin();
		const { layer, files: inside } = over(0);
		write("a", "longer than it was")(inside);
		remove("b")(inside);
		move("d/e", "e")(inside);
		makeDirectory("d/new")(inside);
		inside.symlink("a", "/workspace/link");
		const told = changesOf(db, layer, inode).map(({ path, change, kind, sizeBefore, sizeAfter }) =>
			[change, path.slice(11), kind, sizeBefore, sizeAfter].join(" "),
		);
		expect(told).toEqual([
			"modified a file 1 18",
			"removed b file 1 ",
			"removed d/e directory 0 ",
			"removed d/e/z file 5 ",
			"added d/new directory  0",
			"added e directory  0",
			"added e/z file  5",
			"added link symlink  1",
		]);
	});
});

const conflicts: readonly [string, Change, Change, string[]][] = [
	["a file that both wrote", write("a"), write("a"), ["a"]],
	["a file that was written below and is removed", write("a"), remove("a"), ["a"]],
	["a file that was removed below and is written", remove("a"), write("a"), ["a"]],
	["a file that both removed", remove("a"), remove("a"), ["a"]],
	["a file that was moved below and is written", move("a", "c"), write("a"), ["a"]],
	["a file that was chmodded below and is written", chmod("a"), write("a"), ["a"]],
	[
		"a file that was made again below and is written",
		(files) => [remove("a"), write("a")].map((run) => run(files)),
		write("a"),
		["a"],
	],
	["a name that both added", write("new"), write("new"), ["new"]],
	["a name that both added, one as a directory", makeDirectory("new"), write("new"), ["new"]],
	["a name that both moved to", move("a", "new"), move("b", "new"), ["new"]],
	["a directory that is gone and is written in", remove("d"), write("d/new"), ["d/new"]],
	["a directory that is gone with a file that is written", remove("d"), write("d/e/z"), ["d/e/z"]],
	["a directory above that is gone", remove("d"), write("d/e/new"), ["d/e/new"]],
	["a removed directory with a new entry", write("empty/new"), remove("empty"), ["empty"]],
	["a removed tree with a new entry", write("d/e/new"), remove("d"), ["d/e"]],
	["a directory that both chmodded", chmod("d"), chmod("d"), ["d"]],
	["directories moved into each other", move("d", "empty/d"), move("empty", "d/empty"), ["d/empty"]],
	["a directory moved into one that is gone", remove("empty"), move("d", "empty/d"), ["empty/d"]],
];

const merges: readonly [string, Change, Change, string[]][] = [
	["files of one directory", write("d/x"), write("d/y"), ["d/x=new d/x", "d/y=new d/y"]],
	["new files of one directory", write("d/n1"), write("d/n2"), ["d/n1=new d/n1", "d/n2=new d/n2"]],
	["a removal beside a new file", remove("d/x"), write("d/n"), ["d/n=new d/n"]],
	["a file in a directory that was moved", move("d", "m"), write("d/x"), ["m/x=new d/x"]],
	["a new file in a directory that was moved", move("d", "m"), write("d/n"), ["m/n=new d/n"]],
	["a moved directory with a new file below", write("d/n"), move("d", "m"), ["m/n=new d/n"]],
	["a new file beside a mode of the directory", chmod("d"), write("d/n"), ["d/n=new d/n"]],
	["a name that became free", move("a", "c"), write("n"), ["c=a", "n=new n"]],
	[
		"a directory used and left as it was",
		remove("empty"),
		(files) => [write("empty/n"), remove("empty/n")].map((run) => run(files)),
		["a=a"],
	],
];

describe("a commit", () => {
	it.each(conflicts)("is refused for %s, and nothing changes", (_, below, above, paths) => {
		const { db, files, over, snapshot } = begin();
		const { layer, files: inside } = over(0);
		above(inside);
		below(files);
		const before = snapshot();
		const seen = [...inside.walk("/workspace")];
		expect(commitLayer(db, layer)).toEqual({ ok: false, conflicts: paths.map((path) => `/workspace/${path}`) });
		expect(snapshot()).toEqual(before);
		expect([...inside.walk("/workspace")]).toEqual(seen);
		dropLayer(db, layer);
		expect(faultsOf(db)).toEqual([]);
	});

	it.each(merges)("brings together %s", (_, below, above, contents) => {
		const { db, files, over } = begin();
		const { layer, files: inside } = over(0);
		above(inside);
		below(files);
		expect(commitLayer(db, layer)).toEqual({ ok: true });
		for (const content of contents) {
			const [path = "", expected] = content.split("=");
			expect(text(files, path)).toBe(expected);
		}
		expect(faultsOf(db)).toEqual([]);
	});

	it.each(conflicts)("of a layer over a layer is refused likewise for %s", (_, below, above, paths) => {
		const { db, over } = begin();
		const job = over(0);
		const { layer, files: inside } = over(job.layer);
		above(inside);
		below(job.files);
		expect(commitLayer(db, layer)).toEqual({ ok: false, conflicts: paths.map((path) => `/workspace/${path}`) });
		dropLayer(db, layer);
		expect(commitLayer(db, job.layer)).toEqual({ ok: true });
		expect(faultsOf(db)).toEqual([]);
	});

	it("into a job is refused later, when the workspace has changed what the job took over", () => {
		const { db, files, over } = begin();
		const job = over(0);
		const shell = over(job.layer);
		write("a")(shell.files);
		expect(commitLayer(db, shell.layer)).toEqual({ ok: true });
		write("a", "meanwhile")(files);
		expect(commitLayer(db, job.layer)).toEqual({ ok: false, conflicts: ["/workspace/a"] });
	});

	it("names the scratch tree by its mount", () => {
		const { db, files, options } = memoryWorkspace();
		const layer = createLayer(db, { parent: 0 });
		const roots = { ...options.roots, tmp: rootIn(options.roots.tmp.inode, layer) };
		openFileSystem(db, { ...options, roots }).write("/tmp/a", bytes("a"));
		files.write("/tmp/a", bytes("b"));
		expect(commitLayer(db, layer)).toEqual({ ok: false, conflicts: ["/tmp/a"] });
	});
});
