import { truncateChars } from "../lib/text";
import type { Database } from "./database";

const keptMs = 24 * 60 * 60_000;
/** Four bytes a character at most: below the 2 MB cap of a value. */
const partChars = 400_000;

/** What came of calls that changed something, by call id, in parts in table `outcomes`: a call that is asked for again is answered, not run. */
export class Ledger {
	readonly #db: Database;

	constructor(db: Database, now: number) {
		this.#db = db;
		db.exec(`CREATE TABLE IF NOT EXISTS outcomes (id TEXT NOT NULL, part INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT,
			PRIMARY KEY (id, part)) WITHOUT ROWID`);
		db.exec("DELETE FROM outcomes WHERE at < ?", now - keptMs);
	}

	/** `begun` is a call that has reached out and whose end was never written: what became of it is unknown. */
	find(id: string): { state: "ended"; outcome: unknown } | { state: "begun" } | undefined {
		const select = "SELECT text FROM outcomes WHERE id = ? ORDER BY part";
		const parts = this.#db.exec<{ text: string | null }>(select, id).toArray();
		if (parts.length === 0) return undefined;
		const text = parts.map((part) => part.text ?? "").join("");
		return text === "" ? { state: "begun" } : { state: "ended", outcome: JSON.parse(text) };
	}

	begin(id: string, at: number): void {
		this.#db.exec("INSERT OR IGNORE INTO outcomes (id, part, at, text) VALUES (?, 0, ?, NULL)", id, at);
	}

	end(id: string, at: number, outcome: unknown): void {
		const text = JSON.stringify(outcome);
		for (let from = 0, part = 0; from < text.length; part++) {
			const piece = truncateChars(text.slice(from, from + partChars + 1), partChars);
			this.#db.exec("INSERT OR REPLACE INTO outcomes (id, part, at, text) VALUES (?, ?, ?, ?)", id, part, at, piece);
			from += piece.length;
		}
	}
}
