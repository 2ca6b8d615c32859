import { execFileSync } from "node:child_process";
import {
	chmodSync,
	chownSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashOf } from "../../../runner/src/mirrors/chunks";
import { Mirror } from "../../../runner/src/mirrors/mirror";
import { lengthPrefixed } from "../../../src/lib/length-prefixed";
import { chunkBytes, holeHash, type MirrorEntry } from "../../../src/shared/runner-mirrors";

const limits = { maxEntries: 1_000, maxBytes: 10_000_000 };
const uid = process.getuid?.() === 0 ? 200_000 : undefined;
let folder: string;
let mirror: Mirror;
/** Everything that was ever part of a file. */
let store: Map<string, Uint8Array>;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "oryx-mirror-"));
	mirror = new Mirror({ folder: path.join(folder, "one"), uid, limits });
	store = new Map();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const on = (at: string) => path.join(mirror.files, at);
const bytesOf = (text: string) => new TextEncoder().encode(text);

function fileEntry(at: string, content: Uint8Array, mode = 0o644, mtimeMs = 1_700_000_000_123): MirrorEntry {
	const chunks: string[] = [];
	for (let from = 0; from < content.length; from += chunkBytes) {
		const piece = content.subarray(from, from + chunkBytes);
		const hash = hashOf(piece);
		chunks.push(hash);
		store.set(hash, piece);
	}
	return { kind: "file", path: at, mode, mtimeMs, size: content.length, chunks };
}
const directory = (at: string, mode = 0o755): MirrorEntry => ({ kind: "directory", path: at, mode });
const link = (at: string, target: string): MirrorEntry => ({ kind: "symlink", path: at, mode: 0o777, target });

async function* parts(hashes: readonly string[]): AsyncGenerator<Uint8Array> {
	for (const hash of hashes) yield lengthPrefixed(store.get(hash) ?? new Uint8Array());
}

/** Lays a tree as the Worker does; answers how many chunks had to be sent. */
async function lay(entries: readonly MirrorEntry[]): Promise<number> {
	const missing = await mirror.lay(entries);
	if (missing.length === 0) return 0;
	await mirror.keep(parts(missing));
	expect(await mirror.lay(entries)).toEqual([]);
	return missing.length;
}

async function contentOf(revision: string, entry: MirrorEntry): Promise<string> {
	const hashes = entry.kind === "file" ? entry.chunks : [];
	const pieces: Uint8Array[] = [];
	for await (const piece of mirror.read(revision, hashes)) pieces.push(piece);
	return Buffer.concat(pieces).toString();
}

describe("a mirror", () => {
	it("asks only for content that it has nowhere", async () => {
		expect(await lay([directory("d"), fileEntry("d/a", bytesOf("one")), fileEntry("b", bytesOf("two"))])).toBe(2);
		expect(await lay([directory("d"), fileEntry("d/a", bytesOf("one")), fileEntry("b", bytesOf("two"))])).toBe(0);
		// Moved, copied and gone.
		expect(await lay([fileEntry("moved", bytesOf("one")), fileEntry("copy", bytesOf("one"))])).toBe(0);
		expect(await lay([fileEntry("moved", bytesOf("one")), fileEntry("new", bytesOf("three"))])).toBe(1);
		expect(execFileSync("ls", [mirror.files]).toString()).toBe("moved\nnew\n");
	});

	it("changes nothing while it lacks a chunk", async () => {
		await lay([fileEntry("a", bytesOf("one"))]);
		expect(await mirror.lay([fileEntry("b", bytesOf("two"))])).toHaveLength(1);
		expect(readFileSync(on("a"), "utf8")).toBe("one");
	});

	it("lays modes, times, links, holes and large files", async () => {
		const large = new Uint8Array(2 * chunkBytes + 5);
		large.set(bytesOf("tail"), 2 * chunkBytes);
		const entry = fileEntry("large", large, 0o755);
		expect(entry.kind === "file" && entry.chunks.slice(0, 2)).toEqual([holeHash, holeHash]);
		await lay([directory("d", 0o500), fileEntry("d/a", bytesOf("x"), 0o600), entry, link("l", "d/a")]);
		expect(readFileSync(on("large")).equals(Buffer.from(large))).toBe(true);
		expect(lstatSync(on("large")).mode & 0o777).toBe(0o755);
		expect(lstatSync(on("d")).mode & 0o777).toBe(0o500);
		expect(lstatSync(on("large")).mtimeMs).toBeCloseTo(1_700_000_000_123, 0);
		expect(readlinkSync(on("l"))).toBe("d/a");
		if (uid !== undefined) expect(lstatSync(on("l")).uid).toBe(uid);
	});

	it("tells what was added, changed and removed, and hands the content over", async () => {
		await lay([
			directory("gone"),
			fileEntry("gone/a", bytesOf("x")),
			fileEntry("b", bytesOf("old")),
			fileEntry("c", bytesOf("c")),
		]);
		rmSync(on("gone"), { recursive: true });
		writeFileSync(on("b"), "new");
		mkdirSync(on("d/e"), { recursive: true });
		writeFileSync(on("d/e/f"), "added");
		chmodSync(on("c"), 0o755);
		const { revision, removed, changed, skipped } = await mirror.changes();
		expect(removed).toEqual(["gone"]);
		expect(changed.map((entry) => entry.path).toSorted()).toEqual(["b", "c", "d", "d/e", "d/e/f"]);
		expect(skipped).toEqual([]);
		const added = changed.find((entry) => entry.path === "d/e/f");
		expect(added && (await contentOf(revision, added))).toBe("added");
		expect((await mirror.changes()).changed).toEqual([]);
	});

	it("puts back what a program left when the workspace did not take it", async () => {
		const before = [directory("d"), fileEntry("d/a", bytesOf("one"))];
		await lay(before);
		writeFileSync(on("d/a"), "two");
		writeFileSync(on("stray"), "x");
		execFileSync("mkfifo", [on("d/pipe")]);
		const { skipped } = await mirror.changes();
		expect(skipped).toEqual([{ path: "d/pipe", reason: expect.stringContaining("neither a file") }]);
		await lay(before);
		expect(readFileSync(on("d/a"), "utf8")).toBe("one");
		expect(execFileSync("find", [".", "-mindepth", "1"], { cwd: mirror.files }).toString()).toBe("./d\n./d/a\n");
		expect(await mirror.changes()).toMatchObject({ removed: [], changed: [], skipped: [] });
	});

	it("leaves behind links that lead out, and names that are no text", async () => {
		await lay([directory("d")]);
		for (const target of ["/etc/passwd", "../../x", "../d/../../x"]) symlinkSync(target, on(`d/${target.length}`));
		for (const target of ["../d", "x/../y", "/workspace/d"]) symlinkSync(target, on(`d/in${target.length}`));
		writeFileSync(Buffer.concat([Buffer.from(`${on("d")}/`), Buffer.from([0xff, 0x41])]), "x");
		const { changed, skipped } = await mirror.changes();
		expect(changed.map(({ path: at }) => at).toSorted()).toEqual(["d/in12", "d/in4", "d/in6"]);
		expect(skipped).toHaveLength(4);
	});

	it("leaves behind what no path leads to, and removes it at any depth", async () => {
		await lay([directory("d")]);
		const deeper = "n = 'x' * 200\nfor _ in range(40):\n  os.mkdir(n); os.chdir(n)\nopen('f', 'w')";
		execFileSync("python3", ["-c", `import os\n${deeper}`], { cwd: on("d") });
		const { changed, skipped } = await mirror.changes();
		expect(changed.length).toBeGreaterThan(10);
		expect(skipped).toEqual([{ path: expect.stringMatching(/^d(\/x{200})+$/), reason: "its path is too long" }]);
		execFileSync("python3", ["-c", `import os\n${deeper.replaceAll("'x'", "'y'")}`], { cwd: on("d") });
		mirror.forget();
		expect(readdirSync(mirror.files)).toEqual([]);
	});

	it("opens its folder again when a program has closed it", async () => {
		await lay([fileEntry("a", bytesOf("one"))]);
		chmodSync(mirror.files, 0);
		expect(await mirror.changes()).toMatchObject({ removed: [], changed: [], skipped: [] });
		expect(lstatSync(mirror.files).mode & 0o777).toBe(0o700);
	});

	it.runIf(uid !== undefined)("is no less of a mirror where the runner is not root", async () => {
		const own = path.join(folder, "own");
		mkdirSync(own);
		chmodSync(folder, 0o711);
		chownSync(own, 65_534, 65_534);
		process.seteuid?.(65_534);
		try {
			mirror = new Mirror({ folder: path.join(own, "one"), uid: undefined, limits });
			const closed = [directory("d", 0), fileEntry("d/a", bytesOf("one"), 0), directory("r", 0o555)];
			const tree = [...closed, fileEntry("r/a", bytesOf("two"), 0o444)];
			await lay(tree);
			expect(await mirror.changes()).toMatchObject({ removed: [], changed: [], skipped: [] });
			expect(await mirror.changes()).toMatchObject({ removed: [], changed: [], skipped: [] });
			await lay(tree);
			expect(lstatSync(on("d")).mode & 0o777).toBe(0);
			expect(() => readdirSync(on("d"))).toThrow("EACCES");

			// Something is added to what is closed, and something taken away.
			await lay([...tree, fileEntry("d/b", bytesOf("one"), 0), fileEntry("r/b", bytesOf("two"))]);
			await lay([directory("d", 0), directory("r", 0o555), fileEntry("r/b", bytesOf("two"))]);
			chmodSync(on("r"), 0o755);
			mkdirSync(on("r/c"));
			writeFileSync(on("r/c/f"), "three");
			for (const at of ["r/c/f", "r/c", "r"]) chmodSync(on(at), 0);
			const { revision, removed, changed } = await mirror.changes();
			expect(removed).toEqual([]);
			expect(changed.map(({ path: at, mode }) => `${at} ${mode}`)).toEqual(["r 0", "r/c 0", "r/c/f 0"]);
			const [, , file] = changed;
			expect(file && (await contentOf(revision, file))).toBe("three");
			await lay([directory("d", 0)]);
			mirror.forget();
			expect(readdirSync(mirror.files)).toEqual([]);
		} finally {
			process.seteuid?.(0);
		}
	});

	it("writes through no link that a program left", async () => {
		const outside = path.join(folder, "outside");
		mkdirSync(outside);
		await lay([directory("d"), fileEntry("d/a", bytesOf("one"))]);
		rmSync(on("d"), { recursive: true });
		symlinkSync(outside, on("d"));
		await mirror.changes();
		await lay([directory("d"), fileEntry("d/a", bytesOf("two")), fileEntry("d/b", bytesOf("three"))]);
		expect(execFileSync("ls", [outside]).toString()).toBe("");
		expect(readFileSync(on("d/b"), "utf8")).toBe("three");
	});

	it("hands over nothing of a state that is over", async () => {
		await lay([]);
		writeFileSync(on("a"), "one");
		const { revision, changed } = await mirror.changes();
		await lay([]);
		const [entry] = changed;
		expect(() => mirror.read(revision, entry?.kind === "file" ? entry.chunks : [])).toThrow("no longer");
	});

	it("forgets all when a program leaves too much", async () => {
		await lay([fileEntry("a", bytesOf("one"))]);
		for (let number = 0; number <= limits.maxEntries; number++) writeFileSync(on(String(number)), "");
		await expect(mirror.changes()).rejects.toThrow("over 1000 files");
		expect(await lay([fileEntry("a", bytesOf("one"))])).toBe(1);
		expect(execFileSync("ls", [mirror.files]).toString()).toBe("a\n");
	});

	it("takes no stream that is none of chunks", async () => {
		await expect(mirror.keep(streamOf(Buffer.from([0, 0, 0, 9, 1])))).rejects.toThrow("inside a part");
		await expect(mirror.keep(streamOf(Buffer.from([255, 0, 0, 0])))).rejects.toThrow("at most");
	});

	it("becomes any tree from any other, and sees every change between", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(trees, { minLength: 2, maxLength: 5 }), async (states) => {
				mirror.forget();
				for (const [index, state] of states.entries()) {
					const entries = entriesOf(state);
					if (index % 2 === 0) {
						await lay(entries);
						expect(await mirror.changes()).toMatchObject({ removed: [], changed: [], skipped: [] });
					} else {
						const before = states[index - 1] ?? new Map();
						rmSync(mirror.files, { recursive: true });
						mkdirSync(mirror.files);
						for (const entry of entries) put(entry, state);
						const { removed, changed, revision } = await mirror.changes();
						const kept = [...before.keys()].filter(
							(at) => !removed.some((gone) => at === gone || at.startsWith(`${gone}/`)),
						);
						const now = new Map(kept.map((at) => [at, before.get(at)]));
						for (const entry of changed) {
							now.set(entry.path, entry.kind === "file" ? await contentOf(revision, entry) : null);
						}
						expect(Object.fromEntries(now)).toEqual(Object.fromEntries(state));
					}
				}
			}),
			{ numRuns: 60 },
		);
	});
});

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** Paths with the text of a file, or null for a directory; parents are there. */
type State = Map<string, string | null>;
const name = fc.constantFrom("a", "b", "c");
const trees: fc.Arbitrary<State> = fc
	.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.option(fc.constantFrom("", "x", "y", "xyz"))), {
		maxLength: 8,
	})
	.map((items) => {
		const state: State = new Map();
		for (const [names, text] of items) {
			const parents = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
			if (parents.some((at) => typeof state.get(at) === "string") || state.has(names.join("/"))) continue;
			for (const at of parents) state.set(at, null);
			state.set(names.join("/"), text);
		}
		return new Map([...state].toSorted(([a], [b]) => (a < b ? -1 : 1)));
	});

const entriesOf = (state: State): MirrorEntry[] =>
	[...state].map(([at, text]) => (text === null ? directory(at) : fileEntry(at, bytesOf(text))));

function put(entry: MirrorEntry, state: State): void {
	if (entry.kind === "directory") mkdirSync(on(entry.path));
	else writeFileSync(on(entry.path), state.get(entry.path) ?? "");
}
