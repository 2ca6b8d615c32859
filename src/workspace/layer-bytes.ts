import type { Database } from "./database";
import { LayerGone } from "./nodes";

/** Counts bytes of files into a layer, or out of it; answers how many it holds now. Throws LayerGone. */
export function addBytes(db: Database, layer: number, bytes: number): number {
	const update = "UPDATE layers SET bytes = bytes + ? WHERE id = ? RETURNING bytes";
	const [row] = db.exec<{ bytes: number }>(update, bytes, layer).toArray();
	if (!row) throw new LayerGone(`The layer ${layer} is gone.`);
	return row.bytes;
}
