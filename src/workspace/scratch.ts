import type { Database } from "./database";
import { dropRoot, openRoot, type Root } from "./open-file-system";

const keptMs = 24 * 60 * 60_000;

/** The `/tmp` of each turn: a tree of its own that is made when it is first looked at and dropped with the turn. Table `scratch`. */
export class Scratch {
	readonly #db: Database;
	readonly #now: () => number;
	readonly #due: (at: number) => void;

	/** `due` hears when `expire` has something to do. */
	constructor(db: Database, now: () => number, due: (at: number) => void) {
		this.#db = db;
		this.#now = now;
		this.#due = due;
		db.exec("CREATE TABLE IF NOT EXISTS scratch (scope TEXT PRIMARY KEY, made_at INTEGER NOT NULL) WITHOUT ROWID");
	}

	root(scope: string): Root {
		const open = () => this.#open(scope);
		let inode: number | undefined;
		return {
			get inode() {
				inode ??= open();
				return inode;
			},
			layer: () => 0,
			writable: () => 0,
			undone: () => {
				inode = undefined;
			},
		};
	}

	drop(scope: string): void {
		this.#db.transaction(() => {
			const gone = this.#db.exec("DELETE FROM scratch WHERE scope = ? RETURNING scope", scope).toArray();
			if (gone.length > 0) dropRoot(this.#db, rootName(scope));
		});
	}

	/** Drops what a turn that never ended properly has left; answers when the next one is due. */
	expire(): number | undefined {
		const kept = this.#db.exec<{ scope: string; made_at: number }>("SELECT scope, made_at FROM scratch").toArray();
		const dueAt = (made: number) => made + keptMs;
		for (const { scope, made_at } of kept) if (dueAt(made_at) <= this.#now()) this.drop(scope);
		const left = kept.map(({ made_at }) => dueAt(made_at)).filter((at) => at > this.#now());
		return left.length > 0 ? Math.min(...left) : undefined;
	}

	#open(scope: string): number {
		return this.#db.transaction(() => {
			this.#db.exec("INSERT OR IGNORE INTO scratch (scope, made_at) VALUES (?, ?)", scope, this.#now());
			this.#due(this.#now() + keptMs);
			return openRoot(this.#db, rootName(scope));
		});
	}
}

const rootName = (scope: string) => `tmp:${scope}`;
