import { chunkAt, chunkCount, releaseChunk } from "./chunks";
import type { Database } from "./database";
import { addBytes } from "./layer-bytes";
import { conflictsOf } from "./layer-conflicts";
import { isTouchedOnly, type LayerRow, rowsOf } from "./layer-rows";
import { NodeWriter, ownBytes } from "./node-writer";
import { parentOfLayer, viewOf } from "./nodes";
import { tick } from "./schema";

export { changesOf, type LayerChange } from "./layer-changes";

/** A new layer that shows what it lies on until something is changed in it; a temporary one does not outlive the process. */
export function createLayer(
	db: Database,
	{ parent, temporary = false }: { parent: number; temporary?: boolean },
): number {
	return db.transaction(() => {
		viewOf(db, parent);
		const id = tick(db);
		const insert = "INSERT INTO layers (id, parent, bytes, temporary) VALUES (?, ?, 0, ?)";
		db.exec(insert, id, parent, temporary ? 1 : 0);
		return id;
	});
}

export function hasLayer(db: Database, layer: number): boolean {
	return db.exec("SELECT id FROM layers WHERE id = ?", layer).toArray().length > 0;
}

/** Bytes of the files that stand in a layer itself; 0 once it is gone. */
export function bytesOf(db: Database, layer: number): number {
	return db.exec<{ bytes: number }>("SELECT bytes FROM layers WHERE id = ?", layer).toArray()[0]?.bytes ?? 0;
}

/** Throws away what was changed in a layer; harmless when it is gone. */
export function dropLayer(db: Database, layer: number): void {
	if (layer === 0) throw new Error("The workspace itself is no layer to drop.");
	db.transaction(() => {
		releaseRows(db, chunksIn(db, "layer = ?", layer));
		db.exec("DELETE FROM nodes WHERE layer = ?", layer);
		db.exec("DELETE FROM layers WHERE id = ?", layer);
	});
}

export function dropTemporaryLayers(db: Database): void {
	const left = db.exec<{ id: number }>("SELECT id FROM layers WHERE temporary = 1").toArray();
	for (const { id } of left) dropLayer(db, id);
}

/**
 * Puts all changes of a layer into the one it lies on, and ends it. Where something changed underneath that the layer
 * has changed too, nothing is done and the layer stays. The paths in conflict are in byte order.
 */
export function commitLayer(db: Database, layer: number): { ok: true } | { ok: false; conflicts: string[] } {
	const parent = parentOfLayer(db, layer);
	const rows = rowsOf(db, layer);
	const conflicts = conflictsOf(db, layer, rows);
	if (conflicts.length > 0) return { ok: false, conflicts };
	db.transaction(() => {
		touchUnderneath(db, parent, rows.filter(isTouchedOnly));
		db.exec(`DELETE FROM nodes WHERE layer = ? AND ${touchedOnly}`, layer);
		const real = rows.filter((row) => !isTouchedOnly(row));
		const replaced = takeReplaced(db, layer, parent);
		if (parent === 0) moveIntoWorkspace(db, layer);
		else moveIntoLayer(db, layer, parent, replaced);
		addBytes(db, parent, bytesMoved(real, parent, replaced) - sum(replaced.map(ownBytes)));
		db.exec("DELETE FROM layers WHERE id = ?", layer);
	});
	return { ok: true };
}

const touchedOnly = "kind = 'directory' AND rev = base_rev";

/** Directories whose entries alone have changed get the newer time. */
function touchUnderneath(db: Database, parent: number, touched: readonly LayerRow[]): void {
	const view = viewOf(db, parent);
	const writer = new NodeWriter(view, 0, () => {});
	for (const { id, mtime } of touched) {
		const under = view.node(id);
		if (under) writer.touch(id, Math.max(under.mtime, mtime));
	}
}

type Replaced = Pick<LayerRow, "id" | "kind" | "own" | "size" | "base_rev">;

/** Takes the rows out of the lower layer that those of the upper one are to replace. */
function takeReplaced(db: Database, layer: number, parent: number): Replaced[] {
	const where = "layer = ? AND id IN (SELECT id FROM nodes WHERE layer = ?)";
	const select = `SELECT id, kind, own, size, base_rev FROM nodes WHERE ${where}`;
	const replaced = db.exec<Replaced & Record<string, string | number>>(select, parent, layer).toArray();
	releaseRows(db, chunksIn(db, where, parent, layer));
	db.exec(`DELETE FROM nodes WHERE ${where}`, parent, layer);
	return replaced;
}

function moveIntoWorkspace(db: Database, layer: number): void {
	db.exec("DELETE FROM nodes WHERE layer = ? AND kind = 'removed'", layer);
	db.exec("UPDATE nodes SET layer = 0, base_rev = 0, own = 1, path = NULL WHERE layer = ?", layer);
}

/** A row that replaces another lies on what that one lay on, and so may no longer hide anything. */
function moveIntoLayer(db: Database, layer: number, parent: number, replaced: readonly Replaced[]): void {
	for (const { id, base_rev, own } of replaced) {
		const update = "UPDATE nodes SET base_rev = ?, own = max(own, ?) WHERE layer = ? AND id = ?";
		db.exec(update, base_rev, own, layer, id);
	}
	db.exec("DELETE FROM nodes WHERE layer = ? AND kind = 'removed' AND base_rev = 0", layer);
	db.exec("UPDATE nodes SET layer = ? WHERE layer = ?", parent, layer);
}

/** What the moved rows count for where they are now; in the workspace every file is its own. */
function bytesMoved(rows: readonly LayerRow[], parent: number, replaced: readonly Replaced[]): number {
	const wasOwn = new Set(replaced.filter(({ own }) => own).map(({ id }) => id));
	const own = (row: LayerRow) => (row.own || parent === 0 || wasOwn.has(row.id) ? 1 : 0);
	return sum(rows.map((row) => ownBytes({ ...row, own: own(row) })));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const chunksIn = (db: Database, where: string, ...bindings: number[]): Uint8Array[] =>
	db
		.exec<{ chunks: ArrayBuffer }>(`SELECT chunks FROM nodes WHERE ${where} AND chunks IS NOT NULL`, ...bindings)
		.toArray()
		.map(({ chunks }) => new Uint8Array(chunks));

function releaseRows(db: Database, lists: readonly Uint8Array[]): void {
	for (const list of lists) {
		for (let index = 0; index < chunkCount(list); index++) releaseChunk(db, chunkAt(list, index));
	}
}
