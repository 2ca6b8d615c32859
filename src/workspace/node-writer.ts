import { utf8Length } from "../lib/text";
import { chunkAt, chunkCount, keepChunk, releaseChunk } from "./chunks";
import type { Content } from "./content";
import { NodePaths } from "./node-paths";
import type { FullNode, Node, View } from "./nodes";
import { tick } from "./schema";

export type NewNode = Pick<Node, "dir" | "name" | "kind" | "mode"> &
	Partial<Pick<Node, "target" | "mtime">> & { content?: Content };
export type NodeChange = Partial<Pick<Node, "dir" | "name" | "mode" | "mtime">> & { content?: Content };

const insert =
	"INSERT OR REPLACE INTO nodes (layer, id, dir, name, kind, mode, mtime, ctime, size, target, chunks, own, rev, base_rev, path)";

/** Changes nodes in the topmost layer of a view; part of the caller's transaction, who also touches the directories. */
export class NodeWriter {
	readonly view: View;
	readonly #now: number;
	/** Hears by how many bytes the layer grows or shrinks; throws when they are too many. */
	readonly #charge: (bytes: number) => void;
	readonly #paths: NodePaths;

	constructor(view: View, now: number, charge: (bytes: number) => void) {
		this.view = view;
		this.#now = now;
		this.#charge = charge;
		this.#paths = new NodePaths((id) => view.node(id));
	}

	create({ dir, name, kind, mode, target = null, mtime = this.#now, content }: NewNode): number {
		const { db, top } = this.view;
		const id = tick(db);
		const size = content?.size ?? utf8Length(target ?? "");
		const values = [top, id, dir, name, kind, mode, mtime, this.#now, size, target, content?.chunks ?? null, id];
		db.exec(`${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, 0, NULL)`, ...values);
		if (content) this.#charge(size);
		return id;
	}

	change(node: FullNode, { content, ...to }: NodeChange): void {
		const isLaidOver = this.#isLaidOver(node);
		const before = isLaidOver ? 0 : ownBytes(node);
		settleChunks(this.view, node, content);
		const own = content || (node.own && !isLaidOver) ? 1 : 0;
		const mtime = content ? this.#now : node.mtime;
		const { size, chunks } = content ?? node;
		const after = { ...node, mtime, ...to, size, chunks, own, rev: tick(this.view.db) };
		if (isLaidOver || after.dir !== node.dir || after.name !== node.name)
			this.#put(after, isLaidOver ? node : undefined);
		else this.#update(after, content !== undefined);
		this.#charge(ownBytes(after) - before);
	}

	/** Of a directory, what is in it must be gone already. */
	remove(node: FullNode): void {
		const { db, top } = this.view;
		const isLaidOver = this.#isLaidOver(node);
		if (!isLaidOver) {
			for (let index = 0; index < chunkCount(node.chunks); index++) releaseChunk(db, chunkAt(node.chunks, index));
			this.#charge(-ownBytes(node));
		}
		const hidesOne = isLaidOver || node.base_rev !== 0;
		const chunks = new Uint8Array();
		if (hidesOne)
			this.#put({ ...node, kind: "removed", size: 0, chunks, own: 0, rev: tick(db) }, isLaidOver ? node : undefined);
		else db.exec("DELETE FROM nodes WHERE layer = ? AND id = ?", top, node.id);
	}

	/** Entries of a directory have changed; that is no change of its own (`rev`). */
	touch(dir: number, at: number = this.#now): void {
		const { db, top } = this.view;
		const update = "UPDATE nodes SET mtime = ?, ctime = ? WHERE layer = ? AND id = ? RETURNING id";
		if (db.exec(update, at, at, top, dir).toArray().length > 0) return;
		const below = this.view.node(dir);
		if (below) this.#put({ ...below, mtime: at }, below, at);
	}

	#isLaidOver(node: Node): boolean {
		return node.layer !== this.view.top;
	}

	/** A whole row, with its entry in the index; one that is laid over another remembers what that was. */
	#put(row: Omit<FullNode, "kind"> & { kind: string }, below: FullNode | undefined, ctime = this.#now): void {
		const { db, top } = this.view;
		const baseRev = below ? below.rev : row.base_rev;
		const path = below ? this.#paths.of(below) : row.path;
		const { id, dir, name, kind, mode, mtime, size, target, chunks, own, rev } = row;
		db.exec(
			`${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			...[top, id, dir, name, kind, mode, mtime, ctime, size, target],
			...[kind === "file" ? chunks : null, own, rev, baseRev, path],
		);
	}

	/** A row that keeps its name keeps its entry in the index. */
	#update({ id, mode, mtime, size, own, rev, chunks }: FullNode, hasNewContent: boolean): void {
		const { db, top } = this.view;
		const set = "mode = ?, mtime = ?, ctime = ?, size = ?, own = ?, rev = ?";
		const values = [mode, mtime, this.#now, size, own, rev];
		if (!hasNewContent) db.exec(`UPDATE nodes SET ${set} WHERE layer = ? AND id = ?`, ...values, top, id);
		else db.exec(`UPDATE nodes SET ${set}, chunks = ? WHERE layer = ? AND id = ?`, ...values, chunks, top, id);
	}
}

/** What a row counts for in the bytes of its layer. */
export const ownBytes = ({ kind, own, size }: Pick<Node, "own" | "size"> & { kind: string }): number =>
	kind === "file" && own ? size : 0;

/** Brings the uses of a node's chunks to what they will be. A row laid over another shares what both have. */
function settleChunks({ db, top }: View, node: FullNode, content: Content | undefined): void {
	const isNew = (index: number) => content !== undefined && index >= content.firstNew && index < content.endNew;
	const after = content ? content.chunks : node.chunks;
	if (node.layer !== top) {
		for (let index = 0; index < chunkCount(after); index++) if (!isNew(index)) keepChunk(db, chunkAt(after, index));
		return;
	}
	for (let index = 0; index < chunkCount(node.chunks); index++) {
		if (isNew(index) || index >= chunkCount(after)) releaseChunk(db, chunkAt(node.chunks, index));
	}
}
