import type { Database } from "./database";

/**
 * | table  | holds                                                                                                   |
 * | ------ | ------------------------------------------------------------------------------------------------------- |
 * | nodes  | the trees: one row for what has a name, per layer; a row hides those of the same `id` in layers below     |
 * | chunks | content in pieces of at most 512 KiB, by SHA-256, without the zeros at its end                            |
 * | shares | how many uses a chunk has beyond its first, so that sharing never rewrites its bytes                      |
 * | held   | uses of chunks that something in memory has, a writer or a reader; void once the process is gone          |
 * | layers | for each layer what it lies on, its bytes of files, and if it ends with the process; 0 is the workspace                 |
 * | clock  | the number of the last change; an inode, a layer and a revision are named by the change that made them    |
 *
 * In `nodes`, `dir` is the id of the directory it is in (0 for a root). A row of kind `removed` says that the layer has
 * removed what lies below. `rev` is the last change of the node itself, entries of a directory left out; `base_rev` is the `rev`
 * of the row below when this one was laid over it, 0 when there was none.
 * `own` is 0 while the content is still that of the row below; `path` is where the node was when it was laid over, to speak of it.
 */
const tables = [
	`CREATE TABLE IF NOT EXISTS nodes (layer INTEGER NOT NULL, id INTEGER NOT NULL, dir INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
		mode INTEGER NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL, size INTEGER NOT NULL, target TEXT, chunks BLOB,
		own INTEGER NOT NULL, rev INTEGER NOT NULL, base_rev INTEGER NOT NULL, path TEXT, PRIMARY KEY (layer, id)) WITHOUT ROWID`,
	"CREATE INDEX IF NOT EXISTS nodes_by_name ON nodes (layer, dir, name, kind)",
	// With a rowid, because without one rows as large as these would make a tree of four to a page, deeper with every file.
	"CREATE TABLE IF NOT EXISTS chunks (hash BLOB PRIMARY KEY, data BLOB NOT NULL)",
	"CREATE TABLE IF NOT EXISTS shares (hash BLOB PRIMARY KEY, extra INTEGER NOT NULL) WITHOUT ROWID",
	"CREATE TABLE IF NOT EXISTS held (owner INTEGER NOT NULL, hash BLOB NOT NULL)",
	"CREATE TABLE IF NOT EXISTS layers (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, bytes INTEGER NOT NULL, temporary INTEGER NOT NULL)",
	"CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), value INTEGER NOT NULL)",
	"INSERT OR IGNORE INTO layers (id, parent, bytes, temporary) VALUES (0, 0, 0, 0)",
	"INSERT OR IGNORE INTO clock (one, value) VALUES (1, 0)",
];

export function createTables(db: Database): void {
	for (const statement of tables) db.exec(statement);
}

/** The number of a new change. */
export function tick(db: Database): number {
	const [row] = db.exec<{ value: number }>("UPDATE clock SET value = value + 1 RETURNING value").toArray();
	if (!row) throw new Error("The file system was not set up.");
	return row.value;
}
