import type { Database } from "./database";

/** Counts bytes of files into a layer, or out of it; answers how many it holds now. */
export function addBytes(db: Database, layer: number, bytes: number): number {
	const update = "UPDATE layers SET bytes = bytes + ? WHERE id = ? RETURNING bytes";
	const [row] = db.exec<{ bytes: number }>(update, bytes, layer).toArray();
	if (!row) throw new Error(`The layer ${layer} is gone.`);
	return row.bytes;
}
