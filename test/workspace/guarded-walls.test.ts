import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../src/workspace/file-system";
import { FsError } from "../../src/workspace/fs-error";
import { FileRefused, guarded } from "../../src/workspace/guarded";
import { contentsOf, openFiles, plant } from "../support/node/open-files";

const root = "/workspace/in";
const outside = ["/workspace/out", "/workspace/in2"];
const rules = { root, entries: [], memoryAcl: false, mayWriteProtected: false };

const name = fc.constantFrom("a", "b", "c", "d");
const inside = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `${root}/${names.join("/")}`);
const anywhere = fc.oneof(
	{ weight: 5, arbitrary: inside },
	{
		weight: 1,
		arbitrary: fc.tuple(fc.constantFrom(...outside, "/workspace", ""), name).map(([top, last]) => `${top}/${last}`),
	},
	{ weight: 1, arbitrary: fc.constantFrom("/", "/tmp/a", "/workspace", root, ...outside) },
);
/** Texts of links: into the root, around in it, out of it, and in circles. */
const target = fc.oneof(
	inside,
	anywhere,
	fc
		.tuple(
			fc.constantFrom("", "../", "../../", "../../../"),
			fc.constantFrom("a", "b", "out/a", "out", "in2", "in/a", "workspace"),
		)
		.map(([up, down]) => up + down),
);

interface Step {
	readonly method: keyof typeof methods;
	readonly path: string;
	readonly other: string;
	readonly target: string;
}
const bytes = new TextEncoder().encode("new");

/** What each method lets its caller see: inodes, content, or names. */
const methods = {
	stat: (files, { path }) => [files.stat(path).inode],
	lstat: (files, { path }) => [files.lstat(path).inode],
	resolve: (files, { path }) => [files.resolve(path)],
	readDirectory: (files, { path }) => files.readDirectory(path).map((entry) => `${path}/${entry.name}`),
	read: (files, { path }) => [new TextDecoder().decode(files.read(path))],
	readPieces: (files, { path }) => [...files.readPieces(path)].map((piece) => new TextDecoder().decode(piece)),
	walk: (files, { path }) => [...files.walk(path)].map(({ stat }) => stat.inode),
	walkContent: (files, { path }) => [...files.walkContent(path)].map(({ read }) => new TextDecoder().decode(read())),
	walkChunks: (files, { path }) => [...files.walkChunks(path)].map(({ stat }) => stat.inode),
	write: (files, { path }) => files.write(path, bytes),
	exclusive: (files, { path }) => files.write(path, bytes, { exclusive: true }),
	append: (files, { path }) => files.append(path, bytes),
	writeAt: (files, { path }) => files.writeAt(path, 1, bytes),
	truncate: (files, { path }) => files.truncate(path, 1),
	makeDirectory: (files, { path }) => files.makeDirectory(path),
	makeParents: (files, { path }) => files.makeDirectory(path, { parents: true }),
	removeDirectory: (files, { path }) => files.removeDirectory(path),
	unlink: (files, { path }) => files.unlink(path),
	removeTree: (files, { path }) => files.removeTree(path),
	rename: (files, { path, other }) => files.rename(path, other),
	copyFile: (files, { path, other }) => files.copyFile(path, other),
	symlink: (files, { path, target }) => files.symlink(target, path),
	chmod: (files, { path }) => files.chmod(path, 0o600),
	setTimes: (files, { path }) => files.setTimes(path, { mtimeMs: 9 }),
} satisfies Record<string, (files: FileSystem, step: Step) => unknown>;

const step: fc.Arbitrary<Step> = fc.record({
	method: fc.constantFrom(...(Object.keys(methods) as (keyof typeof methods)[])),
	path: anywhere,
	other: anywhere,
	target,
});

/** What a step has shown, or why it was refused. */
function attempt(files: FileSystem, next: Step): { shown: readonly unknown[]; reason: string } {
	try {
		const shown: unknown = methods[next.method](files, next);
		return { shown: Array.isArray(shown) ? shown : [], reason: "ok" };
	} catch (error) {
		if (error instanceof FileRefused) return { shown: [], reason: error.reason };
		if (error instanceof FsError) return { shown: [], reason: error.message };
		throw error;
	}
}

const neighbour = {
	"/workspace/out/a": "OUTSIDE",
	"/workspace/out/b/c": "OUTSIDE",
	"/workspace/in2/a": "OUTSIDE",
};

function openWalled(behind: Readonly<Record<string, string>> = neighbour) {
	const raw = openFiles();
	plant(raw, { [`${root}/a/a`]: "inside", [`${root}/b`]: "inside" });
	for (const empty of [`${root}/c`, ...outside]) raw.makeDirectory(empty);
	plant(raw, behind);
	return { raw, files: guarded(raw, rules) };
}

const inodesOf = (files: FileSystem) =>
	new Set<unknown>(
		outside.flatMap((top) => [files.stat(top).inode, ...[...files.walk(top)].map(({ stat }) => stat.inode)]),
	);

/** Links first, so that there is something to follow. */
const story = fc
	.tuple(fc.array(fc.tuple(inside, target), { maxLength: 6 }), fc.array(step, { minLength: 1, maxLength: 25 }))
	.map(([links, steps]) => [
		...links.map(([path, text]): Step => ({ method: "symlink", path, other: path, target: text })),
		...steps,
	]);

describe("the walls of a root", () => {
	it("let nothing out and nothing through, whatever links are made, moved and followed", () => {
		fc.assert(
			fc.property(story, (steps) => {
				const { raw, files } = openWalled();
				const hidden = inodesOf(raw);
				const before = contentsOf(raw, outside);
				for (const next of steps) {
					for (const shown of attempt(files, next).shown) {
						expect(hidden.has(shown)).toBe(false);
						expect(String(shown)).not.toMatch(/OUTSIDE|^\/workspace\/(out|in2)/);
					}
				}
				expect(contentsOf(raw, outside)).toEqual(before);
				expect(raw.readDirectory("/workspace").map(({ name }) => name)).toEqual(["in", "in2", "out"]);
			}),
			{ numRuns: 1_000 },
		);
	});

	it("look the same whatever lies behind them", () => {
		fc.assert(
			fc.property(story, (steps) => {
				const { files: one } = openWalled();
				const { raw, files: other } = openWalled({ "/workspace/out/b": "other", "/workspace/in2/b/a/c": "other" });
				raw.symlink("a", "/workspace/out/a");
				for (const next of steps) {
					const [seen, alsoSeen] = [attempt(one, next), attempt(other, next)];
					expect(alsoSeen.reason).toBe(seen.reason);
					const isText = (shown: unknown) => typeof shown === "string";
					expect(alsoSeen.shown.filter(isText)).toEqual(seen.shown.filter(isText));
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	it("are tried in earnest: every kind of step succeeds now and then", () => {
		const done = new Set<string>();
		fc.assert(
			fc.property(story, (steps) => {
				const { files } = openWalled();
				for (const next of steps) if (attempt(files, next).reason === "ok") done.add(next.method);
			}),
			{ numRuns: 500 },
		);
		expect([...done].toSorted()).toEqual(Object.keys(methods).toSorted());
	});
});
