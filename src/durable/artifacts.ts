import { truncateChars } from "../lib/text";

/** Four bytes a character at most: below the 2 MB cap of a row. */
const partChars = 400_000;
/** Of one session in all. An object's database holds 10 GB, and one message can ask for thousands of pages. */
const maxChars = 100_000_000;

/** Whole results of a session that were cut for the model: table `artifacts`, in parts, and key `artifact_chars`, what they take. */
export class Artifacts {
	readonly #storage: DurableObjectStorage;

	constructor(storage: DurableObjectStorage) {
		this.#storage = storage;
	}

	/** Keeps a text; false when the session has no room for it. */
	put(id: string, text: string): boolean {
		return this.#storage.transactionSync(() => {
			const taken = (this.#storage.kv.get<number>("artifact_chars") ?? 0) + text.length;
			if (taken > maxChars) return false;
			this.#begin();
			for (let at = 0, part = 0; at < text.length; part++) {
				const piece = truncateChars(text.slice(at, at + partChars + 1), partChars);
				const insert = "INSERT OR REPLACE INTO artifacts (id, part, text) VALUES (?, ?, ?)";
				this.#storage.sql.exec(insert, id, part, piece);
				at += piece.length;
			}
			this.#storage.kv.put("artifact_chars", taken);
			return true;
		});
	}

	get(id: string): string | undefined {
		this.#begin();
		const select = "SELECT text FROM artifacts WHERE id = ? ORDER BY part";
		const parts = this.#storage.sql.exec<{ text: string }>(select, id).toArray();
		return parts.length > 0 ? parts.map(({ text }) => text).join("") : undefined;
	}

	/** Oldest first. */
	ids(): string[] {
		this.#begin();
		const select = "SELECT DISTINCT id FROM artifacts ORDER BY id";
		return this.#storage.sql
			.exec<{ id: string }>(select)
			.toArray()
			.map(({ id }) => id);
	}

	/** Few sessions have any, so the table is made when one is asked for. */
	#begin(): void {
		this.#storage.sql.exec(
			"CREATE TABLE IF NOT EXISTS artifacts (id TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, part)) WITHOUT ROWID",
		);
	}
}
