import { chunkAt, chunkCount, keepChunk, releaseChunk } from "./chunks";
import type { Content } from "./content";
import type { FullNode, Node, View } from "./nodes";
import { tick } from "./schema";

export type NewNode = Pick<Node, "dir" | "name" | "kind" | "mode"> &
	Partial<Pick<Node, "target">> & { content?: Content };
export type NodeChange = Partial<Pick<Node, "dir" | "name" | "mode" | "mtime">> & { content?: Content };

/** Changes nodes in the topmost layer of a view; part of the caller's transaction, who also touches the directories. */
export class NodeWriter {
	readonly view: View;
	readonly #now: number;
	/** Hears by how many bytes the layer grows or shrinks; throws when they are too many. */
	readonly #charge: (bytes: number) => void;

	constructor(view: View, now: number, charge: (bytes: number) => void) {
		this.view = view;
		this.#now = now;
		this.#charge = charge;
	}

	create({ dir, name, kind, mode, target = null, content }: NewNode): number {
		const { db, top } = this.view;
		const id = tick(db);
		const size = content?.size ?? targetSize(target);
		const insert = "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, 0)";
		const now = this.#now;
		db.exec(insert, top, id, dir, name, kind, mode, now, now, size, target, content?.chunks ?? null, id);
		if (kind === "file") this.#charge(size);
		return id;
	}

	change(node: FullNode, change: NodeChange): void {
		const { db, top } = this.view;
		const { dir = node.dir, name = node.name, mode = node.mode, content } = change;
		const mtime = change.mtime ?? (content ? this.#now : node.mtime);
		const isLaidOver = node.layer !== top;
		const before = isLaidOver || !node.own ? 0 : fileSize(node);
		const own = content || (node.own && !isLaidOver) ? 1 : 0;
		const { size, chunks } = content ?? node;
		settleChunks(this.view, node, content);
		const base = isLaidOver ? node.rev : node.base_rev;
		// A row that keeps its name is changed without its entry in the index.
		if (isLaidOver || dir !== node.dir || name !== node.name) {
			db.exec(
				"INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				...[top, node.id, dir, name, node.kind, mode, mtime, this.#now, size, node.target],
				...[node.kind === "file" ? chunks : null, own, tick(db), base],
			);
		} else {
			const set = "mode = ?, mtime = ?, ctime = ?, size = ?, own = ?, rev = ?";
			const values = [mode, mtime, this.#now, size, own, tick(db)];
			if (content)
				db.exec(`UPDATE nodes SET ${set}, chunks = ? WHERE layer = ? AND id = ?`, ...values, chunks, top, node.id);
			else db.exec(`UPDATE nodes SET ${set} WHERE layer = ? AND id = ?`, ...values, top, node.id);
		}
		this.#charge((own ? fileSize({ ...node, size }) : 0) - before);
	}

	/** Of a directory, what is in it must be gone already. */
	remove(node: FullNode): void {
		const { db, top } = this.view;
		const isLaidOver = node.layer !== top;
		if (!isLaidOver) releaseChunks(this.view, node.chunks);
		if (!isLaidOver && node.base_rev === 0) {
			db.exec("DELETE FROM nodes WHERE layer = ? AND id = ?", top, node.id);
		} else {
			const { id, dir, name, mode } = node;
			const base = isLaidOver ? node.rev : node.base_rev;
			const insert = "INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?, 'removed', ?, ?, ?, 0, NULL, NULL, 0, ?, ?)";
			db.exec(insert, top, id, dir, name, mode, this.#now, this.#now, tick(db), base);
		}
		if (!isLaidOver && node.own) this.#charge(-fileSize(node));
	}

	/** Entries of a directory have changed; that is no change of its own (`rev`). */
	touch(dir: number, at: number = this.#now): void {
		const { db, top } = this.view;
		const update = "UPDATE nodes SET mtime = ?, ctime = ? WHERE layer = ? AND id = ?";
		if (top === 0) return void db.exec(update, at, at, top, dir);
		const touched = db.exec(`${update} RETURNING id`, at, at, top, dir).toArray();
		const below = touched.length === 0 ? this.view.node(dir) : undefined;
		if (!below) return;
		const insert = "INSERT INTO nodes VALUES (?, ?, ?, ?, 'directory', ?, ?, ?, 0, NULL, NULL, 0, ?, ?)";
		db.exec(insert, top, dir, below.dir, below.name, below.mode, at, at, below.rev, below.rev);
	}
}

const fileSize = ({ kind, size }: Pick<Node, "kind" | "size">): number => (kind === "file" ? size : 0);
const targetSize = (target: string | null): number => (target === null ? 0 : new TextEncoder().encode(target).length);

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

function releaseChunks({ db }: View, chunks: Uint8Array): void {
	for (let index = 0; index < chunkCount(chunks); index++) releaseChunk(db, chunkAt(chunks, index));
}
