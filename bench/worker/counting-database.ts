import { counters } from "./counters";

/** The same database; each row that a statement writes is counted. */
export function countingDatabase(database: D1Database): D1Database {
	const counting = {
		prepare: (query: string) => countingStatement(query, database.prepare(query)),
		async batch(statements: readonly CountingStatement[]) {
			const results = await database.batch(statements.map(({ inner }) => inner));
			for (const { meta } of results) counters.d1Rows += meta.rows_written;
			return results;
		},
	};
	return counting as unknown as D1Database;
}

/** The part of a statement that drizzle uses. */
interface CountingStatement {
	readonly inner: D1PreparedStatement;
	bind(...values: unknown[]): CountingStatement;
	run(): Promise<D1Result<Record<string, unknown>>>;
	all(): Promise<D1Result<Record<string, unknown>>>;
	raw(): Promise<unknown[][]>;
}

function countingStatement(query: string, inner: D1PreparedStatement): CountingStatement {
	const run = async () => {
		const result = await inner.run<Record<string, unknown>>();
		counters.d1Rows += result.meta.rows_written;
		return result;
	};
	// `raw` tells no counts: what may write goes the other way, and its rows, all of one table, are made arrays here.
	const isSelect = /^\s*select\b/i.test(query);
	return {
		inner,
		bind: (...values) => countingStatement(query, inner.bind(...values)),
		run,
		all: run,
		raw: async () => (isSelect ? await inner.raw() : (await run()).results.map((row) => Object.values(row))),
	};
}
