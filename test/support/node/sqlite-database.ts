import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Database, SqlValue } from "../../../src/workspace/database";

const toInput = (value: SqlValue | Uint8Array): SQLInputValue =>
	value instanceof ArrayBuffer ? new Uint8Array(value) : value;

/** A blob as an ArrayBuffer of its own, as a Durable Object hands it out. */
const fromOutput = (value: unknown): unknown => (value instanceof Uint8Array ? new Uint8Array(value).buffer : value);

/** A `Database` over node:sqlite, in memory unless said otherwise; it refuses what a Durable Object would refuse. */
export class SqliteDatabase implements Database {
	readonly #sqlite: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	#depth = 0;

	constructor(sqlite = new DatabaseSync(":memory:")) {
		this.#sqlite = sqlite;
	}

	/** The same data as the next process sees it. */
	reopened(): SqliteDatabase {
		return new SqliteDatabase(this.#sqlite);
	}

	exec<Row extends Record<string, SqlValue>>(query: string, ...bindings: (SqlValue | Uint8Array)[]) {
		if (/^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|ATTACH|VACUUM)\b/i.test(query)) {
			throw new Error(`A Durable Object refuses this statement: ${query}`);
		}
		if (bindings.length > 100)
			throw new Error(`A Durable Object takes at most 100 parameters, not ${bindings.length}.`);
		const large = bindings.find((value) => sizeOf(value) > 2_000_000);
		if (large) throw new Error("A Durable Object takes no value over 2 MB.");
		return this.#run(query, bindings) as Row[] & { toArray(): Row[] };
	}

	transaction<Result>(run: () => Result): Result {
		const name = `depth_${this.#depth++}`;
		this.#sqlite.exec(`SAVEPOINT ${name}`);
		try {
			const result = run();
			this.#sqlite.exec(`RELEASE ${name}`);
			return result;
		} catch (error) {
			this.#sqlite.exec(`ROLLBACK TO ${name}`);
			this.#sqlite.exec(`RELEASE ${name}`);
			throw error;
		} finally {
			this.#depth--;
		}
	}

	close(): void {
		this.#sqlite.close();
	}

	#run(query: string, bindings: (SqlValue | Uint8Array)[]): Record<string, unknown>[] & { toArray(): unknown[] } {
		if (bindings.length === 0 && /;\s*\S/.test(query)) {
			this.#sqlite.exec(query);
			return withToArray([]);
		}
		const rows = this.#prepare(query).all(...bindings.map(toInput));
		return withToArray(
			rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, fromOutput(value)]))),
		);
	}

	#prepare(query: string): StatementSync {
		const known = this.#statements.get(query);
		if (known) return known;
		const statement = this.#sqlite.prepare(query);
		this.#statements.set(query, statement);
		return statement;
	}
}

const withToArray = (rows: Record<string, unknown>[]) => Object.assign(rows, { toArray: () => rows });

function sizeOf(value: SqlValue | Uint8Array): number {
	if (typeof value === "string") return value.length;
	return typeof value === "number" || value === null ? 0 : value.byteLength;
}
