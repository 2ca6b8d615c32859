export type SqlValue = ArrayBuffer | string | number | null;

/** What the file system needs of SQLite: a Durable Object's storage in production, `node:sqlite` in tests. */
export interface Database {
	exec<Row extends Record<string, SqlValue>>(
		query: string,
		...bindings: (SqlValue | Uint8Array)[]
	): Iterable<Row> & { toArray(): Row[] };
	/** Runs to its end or changes nothing; may be nested. */
	transaction<Result>(run: () => Result): Result;
}
