import type { FileSystem } from "./file-system";
import type { FileTrees } from "./file-trees";
import { FsError } from "./fs-error";
import { changeable, type Item, nodeOf, type Place, parentOf, type StoredItem } from "./lookup";
import { checkName, checkTarget } from "./names";
import type { NodeWriter } from "./node-writer";
import type { FullNode } from "./nodes";

type Changes = Pick<
	FileSystem,
	"makeDirectory" | "removeDirectory" | "unlink" | "removeTree" | "rename" | "symlink" | "atomically"
>;

/** The methods of a file system that change which names there are. */
export function treeChanges(trees: FileTrees): Changes {
	/** An entry that is to go, not followed if it is a symlink. */
	const leaving = (path: string) => {
		const place = trees.lookup(path, "keep");
		const item = place.items.at(-1);
		if (item?.type === "missing") throw new FsError("ENOENT", path);
		parentOf(place);
		return changeable(place);
	};

	const remove = (path: string, check: (item: StoredItem) => void) => {
		const item = leaving(path);
		check(item);
		trees.change(item.mount, path, (writer) => {
			removeBelow(writer, item.node);
			writer.remove(item.node);
			writer.touch(item.node.dir);
		});
	};

	const makeParents = (path: string, mode: number) => {
		const place = trees.lookup(path);
		const names = missingNames(place);
		if (names.length === 0) {
			if (isDirectory(place.items.at(-1))) return;
			throw new FsError(place.wantsDirectory ? "ENOTDIR" : "EEXIST", path);
		}
		const parent = place.items.at(-1 - names.length);
		if (parent?.type !== "stored") throw new FsError("EROFS", path);
		for (const name of names) checkName(name, path);
		trees.change(parent.mount, path, (writer) => {
			writer.touch(parent.id);
			names.reduce((dir, name) => writer.create({ dir, name, kind: "directory", mode }), parent.id);
		});
	};

	const add = (path: string, create: (writer: NodeWriter, dir: number, name: string) => void) => {
		const place = trees.lookup(path, "keep");
		const item = place.items.at(-1);
		if (item?.type !== "missing") throw new FsError("EEXIST", path);
		const parent = parentOf(place);
		trees.change(parent.mount, path, (writer) => {
			create(writer, parent.id, item.name);
			writer.touch(parent.id);
		});
	};

	return {
		makeDirectory(path, { parents = false, mode = 0o755 } = {}) {
			if (parents) return makeParents(path, mode & 0o777);
			add(path, (writer, dir, name) => writer.create({ dir, name, kind: "directory", mode: mode & 0o777 }));
		},
		symlink(target, path) {
			checkTarget(target, path);
			add(path, (writer, dir, name) => writer.create({ dir, name, kind: "symlink", mode: 0o777, target }));
		},
		removeDirectory: (path) =>
			remove(path, ({ kind, view, id }) => {
				if (kind !== "directory") throw new FsError("ENOTDIR", path);
				if (!view.isEmpty(id)) throw new FsError("ENOTEMPTY", path);
			}),
		unlink: (path) =>
			remove(path, ({ kind }) => {
				if (kind === "directory") throw new FsError("EISDIR", path);
			}),
		removeTree: (path) => remove(path, () => {}),
		rename(from, to) {
			const source = trees.lookup(from, "keep");
			const fromDir = parentOf(source);
			const target = trees.lookup(to, "keep");
			const toDir = parentOf(target);
			if (fromDir.mount !== toDir.mount) throw new FsError("EXDEV", to);
			const { node, kind, view } = changeable(source);
			const last = target.items.at(-1);
			const replaced = last?.type === "stored" ? nodeOf(last) : undefined;
			if (replaced?.id === node.id) return;
			if (passes(target, node)) throw new FsError("EINVAL", to);
			if (replaced && passes(source, replaced)) throw new FsError("ENOTEMPTY", to);
			if (replaced && kind === "directory") {
				if (replaced.kind !== "directory") throw new FsError("ENOTDIR", to);
				if (!view.isEmpty(replaced.id)) throw new FsError("ENOTEMPTY", to);
			}
			if (replaced?.kind === "directory" && kind !== "directory") throw new FsError("EISDIR", to);
			trees.change(fromDir.mount, to, (writer) => {
				if (replaced) writer.remove(replaced);
				writer.change(node, { dir: toDir.id, name: last?.name ?? "" });
				writer.touch(fromDir.id);
				if (toDir.id !== fromDir.id) writer.touch(toDir.id);
			});
		},
		atomically: (run) => trees.atomically(run),
	};
}

/** Whether a path leads through a node before its end. */
const passes = ({ items }: Place, { id }: FullNode): boolean =>
	items.slice(0, -1).some((item) => item.type === "stored" && item.id === id);

const isDirectory = (item: Item | undefined): boolean =>
	item !== undefined && item.type !== "missing" && item.kind === "directory";

/** Names at the end of a path that are not there yet. Throws ENOENT when a symlink to nowhere speaks of them. */
function missingNames({ asked, items }: Place): string[] {
	const missing = items.filter((item) => item.type === "missing");
	if (missing.some(({ dangling }) => dangling)) throw new FsError("ENOENT", asked);
	return missing.map(({ name }) => name);
}

/** Removes everything in a directory, what lies deepest first. */
export function removeBelow(writer: NodeWriter, top: FullNode): void {
	if (top.kind !== "directory") return;
	const found = [top.id];
	const directories: number[] = [];
	for (let dir = found.pop(); dir !== undefined; dir = found.pop()) {
		directories.push(dir);
		for (const { id, kind } of writer.view.children(dir)) if (kind === "directory") found.push(id);
	}
	for (const dir of directories.reverse()) {
		for (const { id } of writer.view.children(dir)) {
			const node = writer.view.node(id);
			if (node) writer.remove(node);
		}
	}
}
