/** What the bench Worker has counted since it was asked before. */
export interface Counters {
	/** By where they went: `object steps`, `D1 llm_calls`. */
	readonly rows: Rows;
	readonly woken: readonly string[];
}

type Rows = Readonly<Record<string, number>>;

export const rowsIn = (rows: Rows): number => Object.values(rows).reduce((sum, count) => sum + count, 0);

export const tell = (rows: Rows): string =>
	Object.entries(rows)
		.map(([place, count]) => `${place} ${count}`)
		.join(", ");
