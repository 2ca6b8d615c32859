/** D1 binds at most this many values to a statement. */
const maxParameters = 100;

/** Cuts rows into runs that fit one statement, each row binding `columns` values. */
export function chunk<Row>(rows: readonly Row[], columns: number): Row[][] {
	const size = Math.floor(maxParameters / columns);
	return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
}
