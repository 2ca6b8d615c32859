import { chunkBytes, hashOf, pinChunks, resizeList, setChunk } from "./chunks";
import { type ByteRange, readBytes, readPieces, type StoredBytes } from "./content";
import { sha256OfContent } from "./digest";
import type { FileStat, FileSystem } from "./file-system";
import type { FileTrees } from "./file-trees";
import { FsError } from "./fs-error";
import { found, nodeOf, pathOf, type StoredItem, type VirtualItem } from "./lookup";
import { compareBytes } from "./names";
import { type FullNode, type Node, statOf } from "./nodes";
import { childOf } from "./paths";
import { isStoredMount, virtualChild, virtualEntries, virtualStat } from "./virtual-tree";

type Reads = Pick<
	FileSystem,
	| "stat"
	| "lstat"
	| "resolve"
	| "readDirectory"
	| "readLink"
	| "read"
	| "readPieces"
	| "digest"
	| "walk"
	| "walkContent"
	| "walkChunks"
>;
type FoundItem = StoredItem | VirtualItem;
interface Child {
	readonly item: FoundItem;
	readonly stat: FileStat;
	readonly target?: string | null;
	/** Of a stored item, where they are asked for. */
	readonly chunks?: Uint8Array | undefined;
}
interface Extent {
	/** Of the directory itself, what comes after this name. */
	readonly after?: string | undefined;
	readonly withChunks?: boolean;
}
interface Descendant extends Child {
	readonly path: string;
}

/** The methods of a file system that change nothing. */
export function fileReads(trees: FileTrees): Reads {
	const { db, documents } = trees;

	const at = (path: string) => found(trees.lookup(path));

	const directoryAt = (path: string): FoundItem => {
		const item = at(path);
		if (item.kind !== "directory") throw new FsError("ENOTDIR", path);
		return item;
	};

	/** The bytes of a stored file, or those of a document. */
	const fileAt = (path: string): StoredBytes | Uint8Array => {
		const item = at(path);
		if (item.kind === "directory") throw new FsError("EISDIR", path);
		return item.type === "stored" ? nodeOf(item) : new TextEncoder().encode(item.text);
	};

	/** What is in a directory now, which may have changed since it was found. */
	function* childrenOf(item: FoundItem, { after, withChunks = false }: Extent): Generator<Child, void, void> {
		if (item.type === "stored") {
			const { mount } = item;
			const { view } = trees.tree(mount);
			const nodes: Iterable<Node & Partial<FullNode>> = withChunks
				? view.fullChildren(item.id, after)
				: view.children(item.id, after);
			for (const node of nodes) {
				const { id, name, kind, target, chunks } = node;
				yield { item: { type: "stored", name, mount, view, id, kind }, stat: statOf(node), target, chunks };
			}
			return;
		}
		for (const { name } of virtualEntries(documents, item)) {
			if (after !== undefined && compareBytes(name, after) <= 0) continue;
			const child = item.path === "/" && isStoredMount(name) ? at(`/${name}`) : virtualItem(item, name);
			if (child) yield { item: child, stat: itemStat(child) };
		}
	}

	const virtualItem = (parent: VirtualItem, name: string): VirtualItem | undefined => {
		const child = virtualChild(documents, parent, name);
		return child && { type: "virtual", name, ...child };
	};

	function* pinnedPieces(stored: StoredBytes, range: ByteRange | undefined): Generator<Uint8Array, void, void> {
		const unpin = pinChunks(db, stored.chunks);
		try {
			yield new Uint8Array();
			yield* readPieces(db, stored, range);
		} finally {
			unpin();
		}
	}

	/** Everything below a directory, in the order of a walk. */
	function* itemsBelow(
		path: string,
		enter: (path: string) => boolean = () => true,
		{ after, ...extent }: Extent = {},
	): Generator<Descendant, void, void> {
		const open = [{ path, children: childrenOf(directoryAt(path), { after, ...extent }) }];
		for (let directory = open.at(-1); directory; directory = open.at(-1)) {
			const { value: child } = directory.children.next();
			if (!child) {
				open.pop();
				continue;
			}
			const place = childOf(directory.path, child.item.name);
			yield { ...child, path: place };
			if (child.item.kind === "directory" && enter(place)) {
				open.push({ path: place, children: childrenOf(child.item, extent) });
			}
		}
	}

	/** What is in a file now that was found before: its stored bytes, or those of a document. */
	const nowIn = (item: FoundItem, path: string): StoredBytes | Uint8Array => {
		if (item.type === "virtual") return new TextEncoder().encode(item.text);
		const node = item.view.node(item.id);
		if (!node) throw new FsError("ENOENT", path);
		return node;
	};

	const chunksNow = (item: FoundItem, path: string): Uint8Array => {
		if (item.kind !== "file") return new Uint8Array();
		const file = nowIn(item, path);
		return (file instanceof Uint8Array ? unstored(file) : file).chunks;
	};

	return {
		stat: (path) => itemStat(at(path)),
		lstat: (path) => itemStat(found(trees.lookup(path, "keep"))),
		resolve: (path, { lastLink, reach } = { lastLink: "follow" }) => pathOf(trees.lookup(path, lastLink, reach)),
		readDirectory(path) {
			const item = directoryAt(path);
			return item.type === "stored" ? item.view.entries(item.id) : virtualEntries(documents, item);
		},
		readLink(path) {
			const item = found(trees.lookup(path, "keep"));
			const target = item.type === "stored" ? item.node?.target : undefined;
			if (typeof target !== "string") throw new FsError("EINVAL", path);
			return target;
		},
		read(path, range = {}) {
			checkRange(path, range);
			const file = fileAt(path);
			return file instanceof Uint8Array ? slice(file, range) : readBytes(db, file, range);
		},
		readPieces(path, range = {}) {
			checkRange(path, range);
			const file = fileAt(path);
			if (file instanceof Uint8Array) return piecesOf(slice(file, range));
			// Begun here, so that a change before the first piece is asked for is not seen either.
			const pieces = pinnedPieces(file, range);
			pieces.next();
			return pieces;
		},
		digest(path) {
			const file = fileAt(path);
			return sha256OfContent(file instanceof Uint8Array ? unstored(file) : file);
		},
		*walk(path, enter, after) {
			for (const { path: place, stat } of itemsBelow(path, enter, { after })) yield { path: place, stat };
		},
		*walkContent(path, enter) {
			for (const { path: place, stat, item } of itemsBelow(path, enter)) {
				yield {
					path: place,
					stat,
					read: () => {
						const file = nowIn(item, place);
						return file instanceof Uint8Array ? file : readBytes(db, file);
					},
				};
			}
		},
		*walkChunks(path, enter) {
			for (const { path: place, stat, item, target = null, chunks } of itemsBelow(path, enter, { withChunks: true })) {
				yield { path: place, stat, target, chunks: chunks ?? chunksNow(item, place) };
			}
		},
	};
}

const itemStat = (item: FoundItem): FileStat => (item.type === "stored" ? statOf(nodeOf(item)) : virtualStat(item));

function checkRange(path: string, { offset = 0, length = 0 }: ByteRange): void {
	const isCount = (value: number) => value >= 0 && (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY);
	if (!isCount(offset) || !isCount(length)) throw new FsError("EINVAL", path);
}

const slice = (bytes: Uint8Array, { offset = 0, length = bytes.length }: ByteRange) =>
	bytes.subarray(offset, offset + length);

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
	for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Bytes described as if they were stored. */
function unstored(bytes: Uint8Array): StoredBytes {
	const pieces = [...piecesOf(bytes)];
	const chunks = resizeList(new Uint8Array(), pieces.length);
	for (const [index, piece] of pieces.entries()) setChunk(chunks, index, hashOf(piece));
	return { size: bytes.length, chunks };
}
