import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileSystem } from "../../src/workspace/file-system";
import { changesOf, commitLayer, createLayer, dropLayer } from "../../src/workspace/layers";
import { openFileSystem } from "../../src/workspace/open-file-system";
import { fileOperations } from "../support/file-operation-arbitrary";
import { type FileOperation, runOperation, type Seen, treeOf } from "../support/file-operations";
import { faultsOf } from "../support/node/file-invariants";
import { realTreeOf, runOnRealFiles } from "../support/node/real-files";
import { type MemoryWorkspace, memoryWorkspace, rootIn } from "../support/node/workspace";

/** Sequences for each property; raise it to search longer. */
const runs = Number(process.env.FILE_MODEL_RUNS ?? 250);
const timeout = 60_000 + 100 * runs;
/** Deep enough that no symlink of the sequences leads above it. */
const depth = "/1/2/3/4/5";
const base = `/workspace${depth}`;

let folder = "";
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "oryx-files-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty directory on the disk and its counterpart in a workspace. */
function begin(): MemoryWorkspace & { real: string; inLayer(layer: number): FileSystem } {
	rmSync(folder, { recursive: true });
	const real = folder + depth;
	mkdirSync(real, { recursive: true });
	const workspace = memoryWorkspace();
	workspace.files.makeDirectory(base, { parents: true });
	const { db, options, inode } = workspace;
	const inLayer = (layer: number) =>
		openFileSystem(db, { ...options, roots: { ...options.roots, workspace: rootIn(inode, layer) } });
	return { ...workspace, real, inLayer };
}

/** Runs the same on both and compares each answer and the trees at the end. */
function compare(files: FileSystem, real: string, operations: readonly FileOperation[]): void {
	for (const operation of operations) {
		const outcome = runOnRealFiles(real, operation);
		expect({ operation, outcome: runOperation(files, base, operation) }).toEqual({ operation, outcome });
	}
	expect(treeOf(files, base)).toEqual(realTreeOf(real));
}

const tablesOf = ({ db }: MemoryWorkspace) =>
	["nodes", "chunks", "shares", "held", "layers"].map((table) => [...db.exec(`SELECT * FROM ${table}`)]);

describe("the file system", { timeout }, () => {
	it("does what Node's does on Linux", () => {
		const check = (operations: FileOperation[]) => {
			const { files, db, real } = begin();
			compare(files, real, operations);
			expect(faultsOf(db)).toEqual([]);
		};
		fc.assert(fc.property(fileOperations(60), check), { numRuns: 2 * runs });
	});

	it("does the same in a layer, and after its commit", () => {
		const check = (first: FileOperation[], second: FileOperation[]) => {
			const { files, db, real, inLayer } = begin();
			compare(files, real, first);
			const layer = createLayer(db, { parent: 0 });
			compare(inLayer(layer), real, second);
			expect(faultsOf(db)).toEqual([]);
			expect(commitLayer(db, layer)).toEqual({ ok: true });
			expect(treeOf(files, base)).toEqual(realTreeOf(real));
			expect(faultsOf(db)).toEqual([]);
		};
		fc.assert(fc.property(fileOperations(25), fileOperations(40), check), { numRuns: runs });
	});

	it("does the same in a layer over a layer", () => {
		const check = (first: FileOperation[], second: FileOperation[], third: FileOperation[], last: FileOperation[]) => {
			const { files, db, real, inLayer } = begin();
			compare(files, real, first);
			const lower = createLayer(db, { parent: 0 });
			compare(inLayer(lower), real, second);
			const upper = createLayer(db, { parent: lower });
			compare(inLayer(upper), real, third);
			expect(commitLayer(db, upper)).toEqual({ ok: true });
			expect(faultsOf(db)).toEqual([]);
			compare(inLayer(lower), real, last);
			expect(commitLayer(db, lower)).toEqual({ ok: true });
			expect(treeOf(files, base)).toEqual(realTreeOf(real));
			expect(faultsOf(db)).toEqual([]);
		};
		const some = fileOperations(20);
		fc.assert(fc.property(some, some, some, some, check), { numRuns: runs });
	});

	it("leaves no trace of a layer that is dropped", () => {
		const check = (first: FileOperation[], second: FileOperation[]) => {
			const workspace = begin();
			const { files, db, inLayer } = workspace;
			for (const operation of first) runOperation(files, base, operation);
			const before = tablesOf(workspace);
			const layer = createLayer(db, { parent: 0 });
			for (const operation of second) runOperation(inLayer(layer), base, operation);
			dropLayer(db, layer);
			expect(tablesOf(workspace)).toEqual(before);
		};
		fc.assert(fc.property(fileOperations(25), fileOperations(40), check), { numRuns: runs });
	});

	it("tells what a layer changes", () => {
		const check = (first: FileOperation[], second: FileOperation[]) => {
			const { files, db, inode, inLayer } = begin();
			for (const operation of first) runOperation(files, base, operation);
			const layer = createLayer(db, { parent: 0 });
			for (const operation of second) runOperation(inLayer(layer), base, operation);
			const told = changesOf(db, layer, inode).map(({ change, path: at, kind }) => `${change} ${at} ${kind}`);
			const differing = differences(treeOf(files, "/workspace"), treeOf(inLayer(layer), "/workspace"));
			expect(differing.filter((text) => !told.includes(text))).toEqual([]);
			// A change back, or of a time alone, is told too.
			expect(told.filter((text) => !differing.includes(text) && !text.startsWith("modified"))).toEqual([]);
		};
		fc.assert(fc.property(fileOperations(25), fileOperations(25), check), { numRuns: runs });
	});
});

function differences(before: readonly Seen[], after: readonly Seen[]): string[] {
	const was = new Map(before.map((seen) => [seen.path, seen]));
	const is = new Map(after.map((seen) => [seen.path, seen]));
	return [...new Set([...was.keys(), ...is.keys()])].flatMap((at) => {
		const left = was.get(at);
		const right = is.get(at);
		if (left && right && left.kind === right.kind) {
			return JSON.stringify(left) === JSON.stringify(right) ? [] : [`modified /workspace${at} ${right.kind}`];
		}
		return [
			...(left ? [`removed /workspace${at} ${left.kind}`] : []),
			...(right ? [`added /workspace${at} ${right.kind}`] : []),
		];
	});
}
