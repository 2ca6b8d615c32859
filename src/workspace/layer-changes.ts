import type { Database } from "./database";
import type { FileKind } from "./file-system";
import { isTouchedOnly, rowsOf } from "./layer-rows";
import { compareBytes } from "./names";
import { NodePaths } from "./node-paths";
import { type Node, parentOfLayer, type View, viewOf } from "./nodes";

/** What a layer makes of one path. */
export interface LayerChange {
	readonly path: string;
	readonly change: "added" | "modified" | "removed";
	readonly kind: FileKind;
	readonly sizeBefore: number | undefined;
	readonly sizeAfter: number | undefined;
}

/** How the tree of a root differs in a layer from what it lies on, by path. A rename shows as removed and added. */
export function changesOf(db: Database, layer: number, root: number): LayerChange[] {
	const before = viewOf(db, parentOfLayer(db, layer));
	const after = viewOf(db, layer);
	const rows = rowsOf(db, layer).filter((row) => !isTouchedOnly(row));
	const changed = new Set(rows.map(({ id }) => id));
	const looked = new LookedAt();
	for (const id of changed) {
		looked.add(before, id);
		looked.add(after, id);
	}
	const top = after.node(root) ?? before.node(root);
	if (!top) return [];
	const found: LayerChange[] = [];
	const mount = new NodePaths(() => undefined).of(top);
	const ahead: Pair[] = pairsIn({ before: top, after: top, path: mount }, before, after, looked);
	for (let pair = ahead.pop(); pair; pair = ahead.pop()) {
		found.push(...changesAt(pair, changed));
		for (const below of pairsIn(pair, before, after, looked)) ahead.push(below);
	}
	return found.sort(
		(a, b) => compareBytes(a.path, b.path) || Number(a.change === "added") - Number(b.change === "added"),
	);
}

/** What stands at a path in one view and in the other. */
interface Pair {
	readonly path: string;
	readonly before: Node | undefined;
	readonly after: Node | undefined;
}

/** Names that can differ, by directory: those that lead to something changed, in either view. */
class LookedAt {
	readonly #names = new Map<number, Set<string>>();
	readonly #climbed = new Map<View, Set<number>>();

	add(view: View, id: number): void {
		const climbed = this.#climbed.get(view) ?? new Set();
		this.#climbed.set(view, climbed);
		for (let node = view.node(id); node && !climbed.has(node.id); node = view.node(node.dir)) {
			climbed.add(node.id);
			const names = this.#names.get(node.dir) ?? new Set();
			this.#names.set(node.dir, names.add(node.name));
		}
	}

	in(dir: number): Iterable<string> {
		return this.#names.get(dir) ?? [];
	}
}

/** What is to be compared below a pair; of a directory that is the same in both views only what can differ. */
function pairsIn(pair: Pair, before: View, after: View, looked: LookedAt): Pair[] {
	const was = directory(pair.before);
	const is = directory(pair.after);
	const at = (name: string, left: Node | undefined, right: Node | undefined): Pair => ({
		path: `${pair.path}/${name}`,
		before: left,
		after: right,
	});
	if (was && was.id === is?.id) {
		return [...looked.in(was.id)].map((name) => at(name, before.child(was.id, name), after.child(was.id, name)));
	}
	const left = byName(was ? before.children(was.id) : []);
	const right = byName(is ? after.children(is.id) : []);
	const names = new Set([...left.keys(), ...right.keys()]);
	return [...names].map((name) => at(name, left.get(name), right.get(name)));
}

const byName = (nodes: Iterable<Node>): ReadonlyMap<string, Node> =>
	new Map(Array.from(nodes, (node) => [node.name, node]));

const directory = (node: Node | undefined): Node | undefined => (node?.kind === "directory" ? node : undefined);

function changesAt({ path, before, after }: Pair, changed: ReadonlySet<number>): LayerChange[] {
	if (before && after?.kind === before.kind) {
		const isSame = before.id === after.id ? !changed.has(after.id) : isSameDirectory(before, after);
		if (isSame) return [];
		return [{ path, change: "modified", kind: after.kind, sizeBefore: before.size, sizeAfter: after.size }];
	}
	const removed = before && { path, kind: before.kind, sizeBefore: before.size, sizeAfter: undefined };
	const added = after && { path, kind: after.kind, sizeBefore: undefined, sizeAfter: after.size };
	return [
		...(removed ? [{ ...removed, change: "removed" as const }] : []),
		...(added ? [{ ...added, change: "added" as const }] : []),
	];
}

/** A directory that was made anew is what it was, if its mode is. */
const isSameDirectory = (before: Node, after: Node): boolean =>
	before.kind === "directory" && before.mode === after.mode;
