import type { Documents } from "./documents";
import type { FileKind } from "./file-system";
import { FsError, type FsErrorCode } from "./fs-error";
import { checkName, componentsOf } from "./names";
import type { FullNode, View } from "./nodes";
import { isStoredMount, type StoredMount, type VirtualNode, virtualChild, virtualRoot } from "./virtual-tree";

/** A node of a stored tree with the view it was found in. */
export interface StoredItem {
	readonly type: "stored";
	readonly name: string;
	readonly mount: StoredMount;
	readonly view: View;
	readonly id: number;
	readonly kind: FileKind;
	/** Left out for the root of a tree, whose row few need. */
	readonly node?: FullNode;
}
export interface VirtualItem extends VirtualNode {
	readonly type: "virtual";
	readonly name: string;
}
/** A name that is not there; `dangling` when only a symlink speaks of it. */
export interface MissingItem {
	readonly type: "missing";
	readonly name: string;
	readonly dangling: boolean;
}
export type Item = StoredItem | VirtualItem | MissingItem;

/** Where a path leads. */
export interface Place {
	readonly asked: string;
	/** From `/` down to what is there, each symlink followed; names that are missing stand at the end. */
	readonly items: readonly Item[];
	/** A symlink's target ended in a slash: only a directory will do. */
	readonly wantsDirectory: boolean;
}

export interface Trees {
	readonly documents: Documents;
	tree(mount: StoredMount): { view: View; id: number };
}

/** As Linux has it. */
const maxLinks = 40;

/** What to do with a symlink at the end; `create` follows it to where open(2) would make a file, never at a name with a slash after it. */
export type LastLink = "follow" | "keep" | "create";

export interface Following {
	readonly lastLink: LastLink;
	/** Hears of each place that a symlink leads to or through before it is looked at, and may throw. */
	readonly reach: ((place: string) => void) | undefined;
}

/** Follows a path through directories and symlinks as POSIX does. Throws FsError and DocumentsNeeded. */
export function lookup(trees: Trees, asked: string, { lastLink, reach }: Following): Place {
	const root: Item = { type: "virtual", name: "", ...virtualRoot };
	let items: Item[] = [root];
	let wantsDirectory = false;
	let links = 0;
	const ahead = componentsOf(asked).reverse();
	/** How many of the components ahead come from symlinks. */
	let fromLinks = 0;
	const fail = (code: FsErrorCode): never => {
		throw new FsError(code, asked);
	};

	for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
		const isFromLink = fromLinks > 0;
		if (isFromLink) fromLinks--;
		const current = items.at(-1) ?? root;
		if (current.type !== "missing" && current.kind !== "directory") fail("ENOTDIR");
		if (name === "." || name === "..") {
			if (current.type === "missing") fail("ENOENT");
			if (name === ".." && items.length > 1) items.pop();
			continue;
		}
		if (links > 0) reach?.(pathOf({ items: [...items, { name }] }));
		if (lastLink === "create" && wantsDirectory && ahead.length === 0 && current.type !== "missing") fail("EISDIR");
		const child = childOf(trees, current, name, asked) ?? missing(name, current, isFromLink);
		const target = child.type === "stored" ? child.node?.target : undefined;
		if (typeof target !== "string" || (ahead.length === 0 && lastLink === "keep")) {
			items.push(child);
			continue;
		}
		if (++links > maxLinks) fail("ELOOP");
		if (ahead.length === 0 && target.endsWith("/")) wantsDirectory = true;
		const parts = target.split("/").filter((part) => part !== "");
		ahead.push(...parts.reverse());
		fromLinks += parts.length;
		if (target.startsWith("/")) items = [root];
	}
	return { asked, items, wantsDirectory };
}

const missing = (name: string, parent: Item, isFromLink: boolean): MissingItem => ({
	type: "missing",
	name,
	dangling: parent.type === "missing" ? parent.dangling : isFromLink,
});

function childOf(trees: Trees, parent: Item, name: string, asked: string): Item | undefined {
	if (parent.type === "missing") return undefined;
	checkName(name, asked);
	if (parent.type === "stored") {
		const node = parent.view.child(parent.id, name);
		return node && { type: "stored", name, mount: parent.mount, view: parent.view, id: node.id, kind: node.kind, node };
	}
	if (parent.path === "/" && isStoredMount(name)) {
		return { type: "stored", name, mount: name, kind: "directory", ...trees.tree(name) };
	}
	const found = virtualChild(trees.documents, parent, name);
	return found && { type: "virtual", name, ...found };
}

/** The path of a place with its symlinks resolved. */
export const pathOf = ({ items }: { items: readonly Pick<Item, "name">[] }): string =>
	`/${items
		.slice(1)
		.map(({ name }) => name)
		.join("/")}`;

/** What a path leads to. Throws ENOENT, and ENOTDIR where a directory is asked for. */
export function found({ asked, items, wantsDirectory }: Place): StoredItem | VirtualItem {
	const item = items.at(-1);
	if (!item || item.type === "missing") throw new FsError("ENOENT", asked);
	if (wantsDirectory && item.kind !== "directory") throw new FsError("ENOTDIR", asked);
	return item;
}

/** What is to change. Throws EROFS for what no tree stores. */
export function changeable(place: Place): StoredItem & { node: FullNode } {
	const item = found(place);
	if (item.type === "virtual") throw new FsError("EROFS", place.asked);
	return { ...item, node: nodeOf(item) };
}

/** The directory that something is to be in or to leave. Throws ENOENT where it is missing, EROFS where nothing can change. */
export function parentOf({ asked, items }: Place): StoredItem {
	const parent = items.at(-2);
	if (parent?.type === "missing") throw new FsError("ENOENT", asked);
	if (parent?.type !== "stored") throw new FsError("EROFS", asked);
	return parent;
}

/** The row of an item, that of a tree's root looked up. */
export function nodeOf({ view, id, node = view.node(id) }: StoredItem): FullNode {
	if (!node) throw new Error("A tree without its root.");
	return node;
}
