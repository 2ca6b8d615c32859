import type { Database, SqlValue } from "./database";
import type { FileKind } from "./file-system";
import { type Node, nodeColumns } from "./nodes";

/** A row as a layer holds it: it may also say that what lies below is removed. */
export interface LayerRow extends Omit<Node, "kind"> {
	readonly kind: FileKind | "removed";
}

export function rowsOf(db: Database, layer: number): LayerRow[] {
	const select = `SELECT ${nodeColumns} FROM nodes WHERE layer = ?`;
	return db.exec<LayerRow & Record<string, SqlValue>>(select, layer).toArray();
}

/** A directory that the layer has not changed itself: only its entries. */
export const isTouchedOnly = ({ kind, rev, base_rev }: LayerRow): boolean => kind === "directory" && rev === base_rev;
