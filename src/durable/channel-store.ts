import type { Progress } from "../notify/deliver";
import type { DeliveryJob } from "./channel-job";

export interface Delivery {
	readonly id: string;
	/** Order of arrival. */
	readonly seq: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly job: DeliveryJob;
	/** Cut when the delivery came, so that a new version of the code cannot cut the rest differently. */
	readonly parts: readonly string[];
	progress: Progress;
}

/**
 * A channel's storage.
 *
 * | place                | holds                                                                                       |
 * | -------------------- | ------------------------------------------------------------------------------------------- |
 * | table `deliveries`   | one row per delivery id; `body` (job and parts) until its outcome stands in D1, then null   |
 * | key `parked_until`   | when a provider that wanted silence may be written to again                                 |
 * | key `moved_chat`     | `{from, to}`: a Telegram chat that got another id                                           |
 */
export class ChannelStore {
	readonly #storage: DurableObjectStorage;
	readonly #sql: SqlStorage;
	readonly #stored = new Set<string>();

	constructor(storage: DurableObjectStorage) {
		this.#storage = storage;
		this.#sql = storage.sql;
		this.#sql.exec(`CREATE TABLE IF NOT EXISTS deliveries (
			id TEXT PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, progress TEXT NOT NULL, body TEXT
		) WITHOUT ROWID`);
	}

	/** Writes a delivery, or only its progress when the rest is stored. */
	save({ id, seq, at, progress, job, parts }: Delivery): void {
		if (this.#stored.has(id)) {
			this.#sql.exec("UPDATE deliveries SET progress = ? WHERE id = ?", JSON.stringify(progress), id);
			return;
		}
		const body = JSON.stringify({ job, parts });
		this.#sql.exec("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?)", id, seq, at, JSON.stringify(progress), body);
		this.#stored.add(id);
	}

	/** Writes a delivery that is not yet stored. */
	keep(delivery: Delivery): void {
		if (!this.#stored.has(delivery.id)) this.save(delivery);
	}

	findProgress(id: string): Progress | undefined {
		const [row] = this.#sql.exec<{ progress: string }>("SELECT progress FROM deliveries WHERE id = ?", id);
		return row && (JSON.parse(row.progress) as Progress);
	}

	/** What is under way or not yet in D1, in order of arrival. */
	unfinished(): Delivery[] {
		const rows = this.#sql.exec<{ id: string; seq: number; at: number; progress: string; body: string }>(
			"SELECT id, seq, at, progress, body FROM deliveries WHERE body IS NOT NULL ORDER BY seq",
		);
		return rows.toArray().map(({ id, seq, at, progress, body }) => {
			this.#stored.add(id);
			return {
				id,
				seq,
				at,
				progress: JSON.parse(progress) as Progress,
				...(JSON.parse(body) as Pick<Delivery, "job" | "parts">),
			};
		});
	}

	/** Keeps of a delivery only that it was, and how it ended: it stands in D1. */
	recorded(id: string): void {
		this.#sql.exec("UPDATE deliveries SET body = NULL WHERE id = ?", id);
		this.#stored.delete(id);
	}

	forgetBefore(at: number): void {
		this.#sql.exec("DELETE FROM deliveries WHERE body IS NULL AND at < ?", at);
	}

	get parkedUntil(): number {
		return this.#storage.kv.get<number>("parked_until") ?? 0;
	}

	set parkedUntil(until: number) {
		this.#storage.kv.put("parked_until", until);
	}

	/** The present id of a chat that was known as `from`. */
	movedChat(from: string | undefined): string | undefined {
		const moved = this.#storage.kv.get<{ from: string; to: string }>("moved_chat");
		return moved && moved.from === from ? moved.to : undefined;
	}

	moveChat(from: string, to: string): void {
		this.#storage.kv.put("moved_chat", { from, to });
	}
}
