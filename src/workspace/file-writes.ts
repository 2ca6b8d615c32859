import { chunkAt, chunkCount, keepChunk } from "./chunks";
import { type Content, contentOf, overwrite, resize } from "./content";
import type { FileSystem } from "./file-system";
import type { FileTrees } from "./file-trees";
import { FsError } from "./fs-error";
import { checkFileSize, HeldContent } from "./held-content";
import { changeable, found, nodeOf, parentOf, type StoredItem } from "./lookup";
import type { FullNode } from "./nodes";
import type { StoredMount } from "./virtual-tree";

type Writes = Pick<
	FileSystem,
	"write" | "append" | "writeAt" | "truncate" | "beginContent" | "place" | "copyFile" | "chmod" | "setTimes"
>;

/** A file that is opened to be written: one that is there, or where a new one will be. */
interface Opened {
	readonly mount: StoredMount;
	readonly node: FullNode | undefined;
	readonly dir: number;
	readonly name: string;
}

interface Attributes {
	readonly mode?: number | undefined;
	readonly setMode?: boolean;
	/** When it was changed, if not now. */
	readonly mtimeMs?: number | undefined;
}

/** The methods of a file system that change files. */
export function fileWrites(trees: FileTrees): Writes {
	const { db, options } = trees;

	/** As open(2) with O_CREAT: writes through a symlink, also one to nowhere. */
	const openOrCreate = (path: string, exclusive = false): Opened => {
		const place = trees.lookup(path, exclusive ? "keep" : "create");
		const item = place.items.at(-1);
		if (item && item.type !== "missing") {
			if (exclusive) throw new FsError("EEXIST", path);
			if (item.kind === "directory") throw new FsError("EISDIR", path);
		}
		const { mount, id: dir } = parentOf(place);
		return { mount, dir, name: item?.name ?? "", node: item?.type === "stored" ? nodeOf(item) : undefined };
	};

	const openFile = (path: string): StoredItem & { node: FullNode } => {
		const place = trees.lookup(path);
		if (found(place).kind === "directory") throw new FsError("EISDIR", path);
		return changeable(place);
	};

	/** The content is made inside the transaction. A new file gets `mode`; one that is there keeps its own unless `setMode`. */
	const save = (path: string, opened: Opened, content: () => Content, attributes: Attributes = {}) => {
		const { mount, node, dir, name } = opened;
		const { mode = 0o644, setMode = false, mtimeMs } = attributes;
		const times = mtimeMs === undefined ? {} : { mtime: mtimeMs };
		trees.change(mount, path, (writer) => {
			if (node) return writer.change(node, { content: content(), ...times, ...(setMode && { mode }) });
			writer.create({ dir, name, kind: "file", mode: mode & 0o777, content: content(), ...times });
			writer.touch(dir);
		});
	};

	const changeContent = (path: string, size: number, change: (node: FullNode) => Content) => {
		if (!Number.isSafeInteger(size) || size < 0) throw new FsError("EINVAL", path);
		const { mount, node } = openFile(path);
		checkFileSize(Math.max(size, 0), options.maxFileBytes, path);
		trees.change(mount, path, (writer) => writer.change(node, { content: change(node) }));
	};

	return {
		write(path, bytes, { mode, exclusive } = {}) {
			const opened = openOrCreate(path, exclusive);
			checkFileSize(bytes.length, options.maxFileBytes, path);
			save(path, opened, () => contentOf(db, bytes), { mode });
		},
		append(path, bytes) {
			const opened = openOrCreate(path);
			const old = opened.node ?? { size: 0, chunks: new Uint8Array() };
			const size = old.size + bytes.length;
			checkFileSize(size, options.maxFileBytes, path);
			if (bytes.length > 0 || !opened.node) save(path, opened, () => overwrite(db, old, old.size, bytes));
			return size;
		},
		writeAt(path, offset, bytes) {
			if (!Number.isSafeInteger(offset) || offset < 0) throw new FsError("EINVAL", path);
			if (bytes.length === 0) openFile(path);
			else changeContent(path, offset + bytes.length, (node) => overwrite(db, node, offset, bytes));
		},
		truncate: (path, size) => changeContent(path, size, (node) => resize(db, node, size)),
		beginContent: () => new HeldContent(db, options.maxFileBytes),
		place(path, content, { mode, mtimeMs, exclusive } = {}) {
			if (!(content instanceof HeldContent)) throw new TypeError("Only a writer from beginContent can be placed.");
			if (mtimeMs !== undefined) checkTime(mtimeMs, path);
			save(path, openOrCreate(path, exclusive), () => content.take(), { mode, mtimeMs });
		},
		copyFile(from, to) {
			const source = found(trees.lookup(from));
			const opened = openOrCreate(to);
			if (source.kind === "directory") throw new FsError("EISDIR", from);
			if (source.type === "virtual") {
				save(to, opened, () => contentOf(db, new TextEncoder().encode(source.text)));
				return;
			}
			const node = nodeOf(source);
			if (node.id === opened.node?.id) return;
			save(to, opened, () => shared(node), { mode: node.mode, setMode: true });
		},
		chmod(path, mode) {
			const { mount, node } = changeable(trees.lookup(path));
			trees.change(mount, path, (writer) => writer.change(node, { mode: mode & 0o777 }));
		},
		setTimes(path, { mtimeMs }) {
			checkTime(mtimeMs, path);
			const { mount, node } = changeable(trees.lookup(path));
			trees.change(mount, path, (writer) => writer.change(node, { mtime: mtimeMs }));
		},
	};

	function shared({ size, chunks }: FullNode): Content {
		const count = chunkCount(chunks);
		for (let index = 0; index < count; index++) keepChunk(db, chunkAt(chunks, index));
		return { size, chunks, firstNew: 0, endNew: count };
	}
}

function checkTime(mtimeMs: number, path: string): void {
	if (!Number.isFinite(mtimeMs)) throw new FsError("EINVAL", path);
}
