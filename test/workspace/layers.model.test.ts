import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTouchedOnly, rowsOf } from "../../src/workspace/layer-rows";
import { commitLayer, createLayer, dropLayer } from "../../src/workspace/layers";
import { NodePaths } from "../../src/workspace/node-paths";
import { viewOf } from "../../src/workspace/nodes";
import { openFileSystem } from "../../src/workspace/open-file-system";
import { fileOperations } from "../support/file-operation-arbitrary";
import { type FileOperation, runOperation, type Seen, treeOf } from "../support/file-operations";
import { faultsOf } from "../support/node/file-invariants";
import type { SqliteDatabase } from "../support/node/sqlite-database";
import { memoryWorkspace, rootIn } from "../support/node/workspace";

/** Sequences for each property; raise it to search longer. */
const runs = Number(process.env.FILE_MODEL_RUNS ?? 250);
const timeout = 60_000 + 100 * runs;

/** A base, and two layers on it that do not know of each other. */
function begin(first: readonly FileOperation[], changes: readonly (readonly FileOperation[])[]) {
	const { db, files, options, inode } = memoryWorkspace();
	for (const operation of first) runOperation(files, "/workspace", operation);
	const layers = changes.map((operations) => {
		const layer = createLayer(db, { parent: 0 });
		const inside = openFileSystem(db, { ...options, roots: { ...options.roots, workspace: rootIn(inode, layer) } });
		for (const operation of operations) runOperation(inside, "/workspace", operation);
		return { layer, tree: () => treeOf(inside, "/workspace"), touched: touchedIn(db, layer) };
	});
	const [one, two] = layers;
	if (!one || !two) throw new Error("Two layers are needed.");
	return { db, tree: () => treeOf(files, "/workspace"), one, two };
}

/** The paths that a layer changes, as they are in it and as they were. */
function touchedIn(db: SqliteDatabase, layer: number): string[] {
	const views = [viewOf(db, layer), viewOf(db, 0)];
	const rows = rowsOf(db, layer).filter((row) => !isTouchedOnly(row));
	return views.flatMap((view) => {
		const paths = new NodePaths((id) => view.node(id));
		return rows.map(({ id }) => view.node(id)).flatMap((node) => (node ? [paths.of(node)] : []));
	});
}

/** One is the other, or lies in it. */
const meet = (a: string, b: string) => `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);

/** What both changes make of a tree when they do not meet. */
function merged(base: readonly Seen[], one: readonly Seen[], two: readonly Seen[]): Seen[] {
	const index = (tree: readonly Seen[]) => new Map(tree.map((seen) => [seen.path, JSON.stringify(seen)]));
	const [was, left, right] = [index(base), index(one), index(two)];
	const paths = new Set([...was.keys(), ...left.keys(), ...right.keys()]);
	const taken = [...paths].map((path) => (right.get(path) === was.get(path) ? left.get(path) : right.get(path)));
	return taken.filter((seen) => seen !== undefined).map((seen) => JSON.parse(seen));
}

const byPath = (tree: readonly Seen[]) => [...tree].sort((a, b) => (a.path < b.path ? -1 : 1));

function check(first: FileOperation[], mine: FileOperation[], theirs: FileOperation[]) {
	const { db, tree, one, two } = begin(first, [mine, theirs]);
	const base = tree();
	const trees = [one.tree(), two.tree()] as const;
	expect(commitLayer(db, one.layer)).toEqual({ ok: true });
	expect(tree()).toEqual(trees[0]);
	const outcome = commitLayer(db, two.layer);
	if (!outcome.ok) {
		expect(outcome.conflicts.length).toBeGreaterThan(0);
		// Nobody is refused whose changes lie apart from the others'.
		expect(one.touched.some((a) => two.touched.some((b) => meet(a, b)))).toBe(true);
		expect(tree()).toEqual(trees[0]);
		dropLayer(db, two.layer);
	}
	expect(faultsOf(db)).toEqual([]);
	return { outcome, tree: tree(), merged: merged(base, ...trees) };
}

describe("two layers", { timeout }, () => {
	it("come together, or the second is refused", () => {
		const isMerged = (first: FileOperation[], mine: FileOperation[], theirs: FileOperation[]) => {
			const { outcome, tree, merged: expected } = check(first, mine, theirs);
			if (outcome.ok) expect(byPath(tree)).toEqual(byPath(expected));
		};
		const some = fileOperations(8, ["rename", "look", "read"]);
		fc.assert(fc.property(fileOperations(30), some, some, isMerged), { numRuns: 2 * runs });
	});

	it("leave a sound tree when they move things as well", () => {
		const isSound = (first: FileOperation[], mine: FileOperation[], theirs: FileOperation[]) =>
			void check(first, mine, theirs);
		const some = fileOperations(8, ["look", "read"]);
		fc.assert(fc.property(fileOperations(30), some, some, isSound), { numRuns: 2 * runs });
	});
});
