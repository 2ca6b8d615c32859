import { countRows, tableIn } from "./counters";

let isCounting = false;

/** Counts what Durable Objects write from here on: rows by SQL, one for each key and each alarm, as they are billed. */
export function countWrites(storage: DurableObjectStorage): void {
	if (isCounting) return;
	isCounting = true;
	const sql = Object.getPrototypeOf(storage.sql) as SqlStorage;
	const { exec } = sql;
	sql.exec = function counted(this: SqlStorage, ...query: Parameters<SqlStorage["exec"]>) {
		const cursor = exec.apply(this, query);
		countRows(`object ${tableIn(query[0])}`, cursor.rowsWritten);
		return cursor;
	} as SqlStorage["exec"];
	countCalls(Object.getPrototypeOf(storage.kv), "put");
	countCalls(Object.getPrototypeOf(storage), "setAlarm");
}

function countCalls<Key extends string>(target: Record<Key, (...given: never[]) => unknown>, name: Key): void {
	const original = target[name];
	target[name] = function counted(this: unknown, ...given: never[]) {
		countRows(`object ${name}`, 1);
		return original.apply(this, given);
	};
}
