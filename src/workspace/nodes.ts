import type { Database, SqlValue } from "./database";
import type { DirectoryEntry, FileKind, FileStat } from "./file-system";

/** What has a name in a tree, as one layer holds it. */
export interface Node {
	readonly layer: number;
	readonly id: number;
	readonly dir: number;
	readonly name: string;
	readonly kind: FileKind;
	readonly mode: number;
	readonly mtime: number;
	readonly ctime: number;
	readonly size: number;
	readonly target: string | null;
	readonly own: number;
	readonly rev: number;
	readonly base_rev: number;
	readonly path: string | null;
}

/** With the chunks of its content, which a listing leaves out. */
export interface FullNode extends Node {
	readonly chunks: Uint8Array;
}

type Row = Record<string, SqlValue>;
type NodeRow = Node & Row;
type FullRow = NodeRow & { chunks: ArrayBuffer | null };

export const nodeColumns = "layer, id, dir, name, kind, mode, mtime, ctime, size, target, own, rev, base_rev, path";

/** Without statistics SQLite would rather go through a whole layer in the order that was asked for. */
const byName = "nodes INDEXED BY nodes_by_name";

/** Entries of a directory that are read at once. */
const pageRows = 500;

const full = (row: FullRow): FullNode => ({
	...row,
	chunks: row.chunks ? new Uint8Array(row.chunks) : new Uint8Array(),
});

export const statOf = ({ id, kind, mode, size, mtime, ctime }: Node): FileStat => ({
	inode: id,
	kind,
	mode,
	size,
	mtimeMs: mtime,
	ctimeMs: ctime,
});

/** The trees as seen through layers: the topmost row of a node is what it is. */
export class View {
	readonly db: Database;
	/** From the topmost down to 0. */
	readonly layers: readonly number[];
	readonly #in: string;
	readonly #shown: string;

	constructor(db: Database, layers: readonly number[]) {
		this.db = db;
		this.layers = layers;
		const marks = layers.map(() => "?").join(", ");
		this.#in = layers.length === 1 ? "layer = ?" : `layer IN (${marks})`;
		const above = `SELECT 1 FROM nodes AS above WHERE above.layer IN (${marks}) AND above.id = nodes.id AND above.layer > nodes.layer`;
		this.#shown = layers.length === 1 ? "" : `AND NOT EXISTS (${above})`;
	}

	get top(): number {
		return this.layers[0] ?? 0;
	}

	node(id: number): FullNode | undefined {
		const select = `SELECT ${nodeColumns}, chunks FROM nodes WHERE ${this.#in} AND id = ? ORDER BY layer DESC LIMIT 1`;
		const [row] = this.db.exec<FullRow>(select, ...this.layers, id).toArray();
		return row && isThere(row) ? full(row) : undefined;
	}

	child(dir: number, name: string): FullNode | undefined {
		const where = `${this.#in} AND dir = ? AND name = ? AND kind <> 'removed' ${this.#shown}`;
		const select = `SELECT ${nodeColumns}, chunks FROM ${byName} WHERE ${where} ORDER BY layer DESC LIMIT 1`;
		const [row] = this.db.exec<FullRow>(select, ...this.layers, dir, name, ...this.#again).toArray();
		return row && full(row);
	}

	/** In byte order of the names, those after one where it is given. Read as they are asked for, so that a change meanwhile is seen. */
	children(dir: number, after = ""): Generator<Node, void, void> {
		return this.#pages<NodeRow>(nodeColumns, dir, after);
	}

	/** The same with the chunks of their content. */
	*fullChildren(dir: number, after = ""): Generator<FullNode, void, void> {
		for (const row of this.#pages<FullRow>(`${nodeColumns}, chunks`, dir, after)) yield full(row);
	}

	/** In byte order of the names. */
	entries(dir: number): DirectoryEntry[] {
		const rows = this.#rows<DirectoryEntry & Row>("layer, name, kind", dir, { after: "", limit: -1 });
		return this.#seen(rows).map(({ name, kind }) => ({ name, kind }));
	}

	isEmpty(dir: number): boolean {
		const where = `${this.#in} AND dir = ? AND kind <> 'removed' ${this.#shown}`;
		const select = `SELECT 1 AS found FROM ${byName} WHERE ${where} LIMIT 1`;
		return this.db.exec(select, ...this.layers, dir, ...this.#again).toArray().length === 0;
	}

	*#pages<Found extends NodeRow>(columns: string, dir: number, after: string): Generator<Found, void, void> {
		for (let last: string | undefined = after; last !== undefined; ) {
			const rows: Found[] = this.#rows<Found>(columns, dir, { after: last, limit: pageRows });
			yield* this.#seen(rows);
			last = rows.length === pageRows ? rows.at(-1)?.name : undefined;
		}
	}

	/** Each layer in the order of its index, merged: to sort them all, all would be read for the first few. */
	#rows<Found extends Row>(columns: string, dir: number, { after, limit }: { after: string; limit: number }): Found[] {
		const where = `layer = ? AND dir = ? AND name > ? AND kind <> 'removed' ${this.#shown}`;
		const inLayers = this.layers.map(() => `SELECT ${columns} FROM ${byName} WHERE ${where}`).join(" UNION ALL ");
		const bindings = this.layers.flatMap((layer) => [layer, dir, after, ...this.#again]);
		return this.db.exec<Found>(`${inLayers} ORDER BY name, layer DESC LIMIT ?`, ...bindings, limit).toArray();
	}

	/** Two of one name are there when both a layer and what it lies on have made one; the upper is seen. */
	#seen<Found extends { readonly name: string }>(rows: readonly Found[]): readonly Found[] {
		return this.layers.length === 1 ? rows : rows.filter(({ name }, index) => rows[index - 1]?.name !== name);
	}

	get #again(): readonly number[] {
		return this.layers.length === 1 ? [] : this.layers;
	}
}

const isThere = ({ kind }: { kind: string }): boolean => kind !== "removed";

/** A layer was asked for that has been committed or dropped meanwhile. */
export class LayerGone extends Error {
	override readonly name = "LayerGone";
}

/** Throws LayerGone. */
export function parentOfLayer(db: Database, layer: number): number {
	const [row] = db.exec<{ parent: number }>("SELECT parent FROM layers WHERE id = ?", layer).toArray();
	if (!row) throw new LayerGone(`The layer ${layer} is gone.`);
	return row.parent;
}

/** What is seen through a layer and those it lies on. Throws LayerGone. */
export function viewOf(db: Database, layer: number): View {
	const layers = [layer];
	for (let below = layer; below !== 0; ) {
		below = parentOfLayer(db, below);
		layers.push(below);
	}
	return new View(db, layers);
}
