import { lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Where a list goes on: `after` is the key of the last row of the page before. */
export interface PageQuery {
	readonly after?: string | undefined;
	readonly limit: number;
}

export interface Page<Row> {
	readonly items: readonly Row[];
	/** The key to go on after; undefined on the last page. */
	readonly next: string | undefined;
}

/** Cuts a page out of rows that were read with one more than `limit`, which tells whether there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
	const items = rows.slice(0, limit);
	const last = items.at(-1);
	return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}

/** The key of a row in a list that is ordered by a time and, within it, by id. */
export const timeKey = (time: Date, id: string) => `${time.getTime()}:${id}`;

/** Rows that come after a `timeKey` when the newest come first. */
export function olderThan(key: string, time: SQLiteColumn, id: SQLiteColumn): SQL {
	const at = key.indexOf(":");
	return lt(sql`(${time}, ${id})`, sql`(${Number(key.slice(0, at))}, ${key.slice(at + 1)})`);
}
