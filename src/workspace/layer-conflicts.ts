import type { Database } from "./database";
import { isTouchedOnly, type LayerRow } from "./layer-rows";
import { compareBytes } from "./names";
import { NodePaths } from "./node-paths";
import { parentOfLayer, type View, viewOf } from "./nodes";

/** The paths, in byte order, at which the changes of a layer no longer fit what it lies on. */
export function conflictsOf(db: Database, layer: number, rows: readonly LayerRow[]): string[] {
	const below = viewOf(db, parentOfLayer(db, layer));
	const byId = new Map(rows.map((row) => [row.id, row]));
	const paths = new NodePaths((id) => byId.get(id) ?? below.node(id));
	const changed = new Map(rows.filter((row) => !isTouchedOnly(row)).map((row) => [row.id, row]));
	const hangs = hangsFromRoot(below, changed);
	const inConflict = [...changed.values()].filter((row) => !fits(row, below, changed) || !hangs(row));
	return [...new Set(inConflict.map((row) => paths.of(row)))].sort(compareBytes);
}

function fits(row: LayerRow, below: View, changed: ReadonlyMap<number, LayerRow>): boolean {
	const { id, dir, name, kind, base_rev } = row;
	const under = base_rev === 0 ? undefined : below.node(id);
	if (base_rev !== 0 && under?.rev !== base_rev) return false;
	if (kind === "removed") {
		return under?.kind !== "directory" || [...below.children(id)].every((child) => changed.has(child.id));
	}
	if (under?.dir === dir && under.name === name) return true;
	// In a directory of its own a layer cannot meet anybody.
	if (changed.get(dir)?.base_rev === 0) return true;
	const other = below.child(dir, name);
	return !other || changed.has(other.id);
}

/** Tells whether what a row stands in will be there, and not in itself: two moves may cross. */
function hangsFromRoot(below: View, changed: ReadonlyMap<number, LayerRow>): (row: LayerRow) => boolean {
	const known = new Map<number, boolean>();
	const hangs = (dir: number): boolean => {
		if (dir === 0) return true;
		const answer = known.get(dir);
		if (answer !== undefined) return answer;
		// Until this is known, meeting it again means a circle.
		known.set(dir, false);
		const node = changed.get(dir) ?? below.node(dir);
		const result = node !== undefined && node.kind !== "removed" && hangs(node.dir);
		known.set(dir, result);
		return result;
	};
	return ({ kind, dir }) => kind === "removed" || hangs(dir);
}
