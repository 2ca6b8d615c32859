import type { Database } from "./database";

const keptMs = 24 * 60 * 60_000;

/** What came of calls that changed something, by call id, in table `calls`: a call that is asked for again is answered, not run. */
export class Ledger {
	readonly #db: Database;

	constructor(db: Database, now: number) {
		this.#db = db;
		db.exec("CREATE TABLE IF NOT EXISTS calls (id TEXT PRIMARY KEY, at INTEGER NOT NULL, outcome TEXT) WITHOUT ROWID");
		db.exec("DELETE FROM calls WHERE at < ?", now - keptMs);
	}

	/** `begun` is a call that has reached out and whose end was never written: what became of it is unknown. */
	find(id: string): { state: "ended"; outcome: unknown } | { state: "begun" } | undefined {
		const row = this.#db.exec<{ outcome: string | null }>("SELECT outcome FROM calls WHERE id = ?", id).toArray()[0];
		if (!row) return undefined;
		return row.outcome === null ? { state: "begun" } : { state: "ended", outcome: JSON.parse(row.outcome) };
	}

	begin(id: string, at: number): void {
		this.#db.exec("INSERT OR IGNORE INTO calls (id, at, outcome) VALUES (?, ?, NULL)", id, at);
	}

	end(id: string, at: number, outcome: unknown): void {
		this.#db.exec("INSERT OR REPLACE INTO calls (id, at, outcome) VALUES (?, ?, ?)", id, at, JSON.stringify(outcome));
	}
}
