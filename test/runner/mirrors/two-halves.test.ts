import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mirror } from "../../../runner/src/mirrors/mirror";
import { fromHex } from "../../../src/lib/hash";
import { lengthPrefixed } from "../../../src/lib/length-prefixed";
import type { MirrorChanges } from "../../../src/shared/runner-mirrors";
import { findChunk } from "../../../src/workspace/chunks";
import type { FileSystem } from "../../../src/workspace/file-system";
import { createLayer } from "../../../src/workspace/layers";
import { applyChanges } from "../../../src/workspace/mirror/apply-changes";
import { mirrorEntries } from "../../../src/workspace/mirror/mirror-entries";
import { openFileSystem, type Root } from "../../../src/workspace/open-file-system";
import { TemporaryLayer } from "../../../src/workspace/target";
import { fileOperations } from "../../support/file-operation-arbitrary";
import { type FileOperation, runOperation } from "../../support/file-operations";
import { faultsOf } from "../../support/node/file-invariants";
import { runOnRealFiles } from "../../support/node/real-files";
import { memoryWorkspace, rootIn } from "../../support/node/workspace";

const runs = Number(process.env.FILE_MODEL_RUNS ?? 60);
const uid = process.getuid?.() === 0 ? 200_000 : undefined;
const limits = { maxEntries: 1_000, maxBytes: 100_000_000 };

/** What people do to the files, then what a program does to its mirror of them. */
interface Round {
	readonly before: readonly FileOperation[];
	readonly program: readonly FileOperation[];
}
const changing = ["look", "read"] as const;
const rounds: fc.Arbitrary<Round[]> = fc.array(
	fc.record({ before: fileOperations(12, changing), program: fileOperations(15, changing) }),
	{ minLength: 1, maxLength: 3 },
);

/** A workspace, or a job in it, and the mirror of it. */
function openHalves(folder: string, isJob: boolean) {
	const { db, options, inode } = memoryWorkspace();
	const root: Root = isJob ? rootIn(inode, createLayer(db, { parent: 0 })) : rootIn(inode);
	const openIn = (workspace: Root): FileSystem =>
		openFileSystem(db, { ...options, roots: { ...options.roots, workspace } });
	// Links of a program may lead some way above.
	const mirror = new Mirror({ folder: path.join(folder, "a/b/c/d/e/f/mirror"), uid, limits });

	async function lay(files: FileSystem): Promise<number> {
		const entries = mirrorEntries(files);
		const missing = await mirror.lay(entries);
		if (missing.length > 0) {
			await mirror.keep(parts(missing));
			expect(await mirror.lay(entries)).toEqual([]);
		}
		return missing.length;
	}
	async function* parts(hashes: readonly string[]): AsyncGenerator<Uint8Array> {
		for (const hash of hashes) yield lengthPrefixed(findChunk(db, fromHex(hash)) ?? new Uint8Array());
	}
	async function* fetched(revision: string, hashes: readonly string[]) {
		let index = 0;
		for await (const bytes of mirror.read(revision, hashes)) yield { hash: hashes[index++] ?? "", bytes };
	}

	/** As a program of a command line is run: in a layer that is put into place at the end. */
	async function run(program: () => void): Promise<MirrorChanges> {
		const layer = new TemporaryLayer(db, root);
		const files = openIn(layer);
		await lay(files);
		program();
		const changes = await mirror.changes();
		await applyChanges(changes, {
			files,
			find: (hash) => findChunk(db, hash),
			fetch: (hashes) => fetched(changes.revision, hashes),
			read: async (use) => use(),
		});
		expect(db.transaction(() => layer.commit())).toEqual([]);
		return changes;
	}
	return { db, files: openIn(root), mirror, lay, run };
}

/** Everything below a folder of the disk, links not followed, but for what a workspace cannot hold. */
function* walk(folder: string, skipped: ReadonlySet<string>, below = ""): Generator<string> {
	for (const item of readdirSync(path.join(folder, below), { withFileTypes: true })) {
		const at = below === "" ? item.name : `${below}/${item.name}`;
		if (skipped.has(at)) continue;
		yield at;
		if (item.isDirectory()) yield* walk(folder, skipped, at);
	}
}

/** As a workspace would tell of it. */
function onDisk(folder: string, skipped: ReadonlySet<string> = new Set()): object[] {
	return [...walk(folder, skipped)].map((at) => {
		const place = path.join(folder, at);
		const stats = lstatSync(place);
		const mode = stats.mode & 0o777;
		if (stats.isDirectory()) return { path: at, mode };
		if (stats.isSymbolicLink()) return { path: at, target: readlinkSync(place) };
		return { path: at, mode, mtimeMs: Math.round(stats.mtimeMs), content: readFileSync(place, "latin1") };
	});
}

function inWorkspace(files: FileSystem): object[] {
	return [...files.walk("/workspace")].map(({ path: absolute, stat: { kind, mode, mtimeMs } }) => {
		const at = absolute.slice("/workspace/".length);
		if (kind === "directory") return { path: at, mode };
		if (kind === "symlink") return { path: at, target: files.readLink(absolute) };
		const content = Buffer.from(files.read(absolute)).toString("latin1");
		return { path: at, mode, mtimeMs: Math.round(mtimeMs), content };
	});
}

const sorted = (tree: readonly object[]) => tree.map((node) => JSON.stringify(node)).toSorted();

/** Changes when anything is done to a file, even if it ends up as it was. */
const stampsOf = (folder: string) =>
	[...walk(folder, new Set())].map((at) => {
		const { ino, ctimeNs } = lstatSync(path.join(folder, at), { bigint: true });
		return `${at} ${ino} ${ctimeNs}`;
	});

async function check(isJob: boolean, given: readonly Round[]): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-halves-"));
	try {
		const { db, files, mirror, lay, run } = openHalves(folder, isJob);
		for (const { before, program } of given) {
			for (const operation of before) runOperation(files, "/workspace", operation);
			const { skipped } = await run(() => {
				expect(sorted(onDisk(mirror.files))).toEqual(sorted(inWorkspace(files)));
				for (const operation of program) runOnRealFiles(mirror.files, relative(operation));
			});
			expect(sorted(inWorkspace(files))).toEqual(
				sorted(onDisk(mirror.files, new Set(skipped.map((left) => left.path)))),
			);
			expect(faultsOf(db)).toEqual([]);

			// What came back is known at both ends: nothing travels, and nothing is done, but that what was not kept goes.
			expect(await lay(files)).toBe(0);
			const stamps = stampsOf(mirror.files);
			const { revision: _, ...nothing } = await run(() => {});
			expect(nothing).toEqual({ removed: [], changed: [], skipped: [] });
			expect(stampsOf(mirror.files)).toEqual(stamps);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A program sees its files at `/workspace`, wherever they are. */
function relative(operation: FileOperation): FileOperation {
	if (operation.op !== "symlink" || !operation.target.startsWith("/")) return operation;
	return { ...operation, target: `./${operation.target.slice(1)}` };
}

describe("a workspace and its mirror", { timeout: 60_000 + 1_000 * runs }, () => {
	it.each([
		["a workspace", false],
		["a job", true],
	])("are equal after each program, in %s", async (_, isJob) => {
		await fc.assert(
			fc.asyncProperty(rounds, (given) => check(isJob, given)),
			{ numRuns: runs },
		);
	});
});
