import { countRows, tableIn } from "./counters";

/** The same database; each row that a statement writes is counted. */
export function countingDatabase(database: D1Database): D1Database {
	const counting = {
		prepare: (query: string) => countingStatement(query, database.prepare(query)),
		async batch(statements: readonly CountingStatement[]) {
			const results = await database.batch(statements.map(({ inner }) => inner));
			for (const [at, { meta }] of results.entries()) statements[at]?.count(meta.rows_written);
			return results;
		},
	};
	return counting as unknown as D1Database;
}

/** The part of a statement that drizzle and the repositories use. */
interface CountingStatement {
	readonly inner: D1PreparedStatement;
	count(rows: number): void;
	bind(...values: unknown[]): CountingStatement;
	run(): Promise<D1Result<Record<string, unknown>>>;
	all(): Promise<D1Result<Record<string, unknown>>>;
	raw(): Promise<unknown[][]>;
	first(): Promise<Record<string, unknown> | null>;
}

function countingStatement(query: string, inner: D1PreparedStatement): CountingStatement {
	const count = (rows: number) => countRows(`D1 ${tableIn(query)}`, rows);
	const run = async () => {
		const result = await inner.run<Record<string, unknown>>();
		count(result.meta.rows_written);
		return result;
	};
	// `raw` and `first` tell no counts: what may write goes the other way; its rows are all of one table.
	const isSelect = /^\s*select\b/i.test(query);
	return {
		inner,
		count,
		bind: (...values) => countingStatement(query, inner.bind(...values)),
		run,
		all: run,
		raw: async () => (isSelect ? await inner.raw() : (await run()).results.map((row) => Object.values(row))),
		first: async () => (isSelect ? await inner.first() : ((await run()).results[0] ?? null)),
	};
}
