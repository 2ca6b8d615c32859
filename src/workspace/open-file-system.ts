import { sweepHeld } from "./chunks";
import type { Database } from "./database";
import { fileReads } from "./file-reads";
import type { FileSystem } from "./file-system";
import { type FileSystemOptions, FileTrees } from "./file-trees";
import { fileWrites } from "./file-writes";
import { addBytes } from "./layer-bytes";
import { dropTemporaryLayers } from "./layers";
import { NodeWriter } from "./node-writer";
import { type FullNode, viewOf } from "./nodes";
import { createTables } from "./schema";
import { removeBelow, treeChanges } from "./tree-changes";

export type { FileSystemOptions, Root } from "./file-trees";

/** Roots of trees lie in no directory. */
const nowhere = 0;

/** A file system over a database that `setUp` has seen. Everybody who uses one storage shares one Database object. */
export function openFileSystem(db: Database, options: FileSystemOptions): FileSystem {
	const trees = new FileTrees(db, options);
	return { ...fileReads(trees), ...fileWrites(trees), ...treeChanges(trees) };
}

const ready = new WeakSet<Database>();

/** Makes the tables, and clears away what a process that has ended left half-done; once for each process, before anything else. */
export function setUp(db: Database): void {
	if (ready.has(db)) return;
	db.transaction(() => {
		createTables(db);
		dropTemporaryLayers(db);
		sweepHeld(db);
	});
	ready.add(db);
}

/** The inode of a tree's root, made when it is missing. */
export function openRoot(db: Database, name: string): number {
	const known = rootOf(db, name);
	if (known) return known.id;
	return db.transaction(() => writerOf(db).create({ dir: nowhere, name, kind: "directory", mode: 0o755 }));
}

/** Removes a tree with its root. */
export function dropRoot(db: Database, name: string): void {
	const root = rootOf(db, name);
	if (!root) return;
	db.transaction(() => {
		const writer = writerOf(db);
		removeBelow(writer, root);
		writer.remove(root);
	});
}

const rootOf = (db: Database, name: string): FullNode | undefined => viewOf(db, 0).child(nowhere, name);

function writerOf(db: Database): NodeWriter {
	return new NodeWriter(viewOf(db, 0), 0, (bytes) => {
		if (bytes !== 0) addBytes(db, 0, bytes);
	});
}
