import type { Step, Turn } from "../agent/journal";
import type { NewEvent, SessionEvent } from "../shared/events";
import type { Principal } from "../shared/principal";
import type { Invocation } from "../tools/call";
import { Artifacts } from "./artifacts";

/** Who a session belongs to; written once, with its first turn. */
export interface SessionHead {
	readonly id: string;
	readonly agent: string;
	readonly principal: string;
	readonly title: string;
	readonly createdAt: number;
}

/** A turn with what only the object needs. */
export interface StoredTurn extends Turn {
	readonly principal: Principal;
	/** Steps up to this number stand in D1. */
	readonly flushedSeq: number;
	/** Over, and all of it in D1. */
	readonly settled: boolean;
}

/**
 * The session's tables. Every change of a turn and the events that clients see of it are one transaction.
 *
 * | table     | holds                                                                       |
 * | --------- | --------------------------------------------------------------------------- |
 * | turns     | one row per turn; ids are time-ordered, so the key is the order             |
 * | steps     | the journal; a tool step carries its audit row until that stands in D1      |
 * | events    | the numbered log that clients resume from                                   |
 */
export class SessionStore {
	readonly artifacts: Artifacts;
	readonly #storage: DurableObjectStorage;
	readonly #sql: SqlStorage;
	/** The journal of the turn that is being driven, parsed once. */
	#open: { turn: string; steps: readonly Step[] } | undefined;

	constructor(storage: DurableObjectStorage) {
		this.artifacts = new Artifacts(storage);
		this.#storage = storage;
		this.#sql = storage.sql;
	}

	/** Undefined for a session that was never begun or has been deleted; then no table exists, and nothing else may be asked. */
	head(): SessionHead | undefined {
		return this.#storage.kv.get<SessionHead>("head");
	}

	#begin(head: SessionHead): void {
		this.#storage.kv.put("head", head);
		this.#sql.exec(`
			CREATE TABLE IF NOT EXISTS turns (id TEXT PRIMARY KEY, body TEXT NOT NULL, status TEXT NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0,
				recoveries INTEGER NOT NULL DEFAULT 0, error TEXT, started_at INTEGER NOT NULL, ended_at INTEGER,
				flushed_seq INTEGER NOT NULL DEFAULT 0, settled INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
			CREATE TABLE IF NOT EXISTS steps (turn TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, audit TEXT,
				PRIMARY KEY (turn, seq)) WITHOUT ROWID;
			CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, turn TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL);
		`);
	}

	/** Stores the turn and, with the first one, the session. */
	addTurn(head: SessionHead, turn: StoredTurn, events: readonly NewEvent[]): SessionEvent[] {
		return this.#storage.transactionSync(() => {
			if (!this.head()) this.#begin(head);
			const { id, status, startedAt, agent, message, principal } = turn;
			const body = JSON.stringify({ agent, message, principal });
			const insert = "INSERT INTO turns (id, body, status, started_at) VALUES (?, ?, ?, ?)";
			this.#sql.exec(insert, id, body, status, startedAt);
			return this.#addEvents(id, events);
		});
	}

	turn(id: string): StoredTurn | undefined {
		const row = this.#sql.exec<TurnRow>("SELECT * FROM turns WHERE id = ?", id).toArray()[0];
		return row && toTurn(row);
	}

	/** The newest turns up to and including `upTo`, oldest first. */
	latestTurns(limit: number, upTo = "\uffff"): StoredTurn[] {
		const rows = this.#sql.exec<TurnRow>("SELECT * FROM turns WHERE id <= ? ORDER BY id DESC LIMIT ?", upTo, limit);
		return rows.toArray().map(toTurn).reverse();
	}

	/** The turn that was begun after the one of that id; the first one for an empty id. */
	turnAfter(id: string): StoredTurn | undefined {
		const row = this.#sql.exec<TurnRow>("SELECT * FROM turns WHERE id > ? ORDER BY id LIMIT 1", id).toArray()[0];
		return row && toTurn(row);
	}

	countTurns(): number {
		return this.#sql.exec<{ count: number }>("SELECT count(*) AS count FROM turns").one().count;
	}

	/** Turns that still want work, oldest first: queued, running, or over and not yet in D1. */
	unsettledTurns(): StoredTurn[] {
		return this.latestTurns(2 * maxQueuedTurns).filter((turn) => !turn.settled);
	}

	updateTurn(
		id: string,
		{
			status,
			error,
			endedAt,
			startedAt,
		}: Pick<StoredTurn, "status"> & Partial<Pick<StoredTurn, "error" | "endedAt" | "startedAt">>,
		events: readonly NewEvent[] = [],
	): SessionEvent[] {
		return this.#storage.transactionSync(() => {
			this.#sql.exec(
				"UPDATE turns SET status = ?, error = ?, ended_at = ?, started_at = coalesce(?, started_at) WHERE id = ?",
				status,
				error ? JSON.stringify(error) : null,
				endedAt ?? null,
				startedAt ?? null,
				id,
			);
			return this.#addEvents(id, events);
		});
	}

	cancel(id: string): void {
		this.#sql.exec("UPDATE turns SET cancelled = 1 WHERE id = ?", id);
	}

	setRecoveries(id: string, recoveries: number): void {
		this.#sql.exec("UPDATE turns SET recoveries = ? WHERE id = ?", recoveries, id);
	}

	setFlushed(id: string, seq: number, settled: boolean): void {
		this.#sql.exec("UPDATE turns SET flushed_seq = ?, settled = ? WHERE id = ?", seq, settled ? 1 : 0, id);
	}

	/** Keeps a turn's journal at hand while the turn is driven. */
	open(turnId: string): void {
		this.#open = undefined;
		this.#open = { turn: turnId, steps: this.steps(turnId) };
	}

	/** Waits until all that was written would survive the object's death; an effect waits for it. */
	async sync(): Promise<void> {
		await this.#storage.sync();
	}

	steps(turnId: string): readonly Step[] {
		if (this.#open?.turn === turnId) return this.#open.steps;
		return this.#sql
			.exec<{ body: string }>("SELECT body FROM steps WHERE turn = ? ORDER BY seq", turnId)
			.toArray()
			.map(({ body }) => JSON.parse(body) as Step);
	}

	/** Ended tool steps after `seq` with the audit rows they owe. */
	audits(turnId: string, seq: number): Invocation[] {
		return this.#sql
			.exec<{ audit: string }>(
				"SELECT audit FROM steps WHERE turn = ? AND seq > ? AND audit IS NOT NULL ORDER BY seq",
				turnId,
				seq,
			)
			.toArray()
			.map(({ audit }) => reviveAudit(audit));
	}

	/** Writes a step, new or again; `seq` is its place in the turn. */
	putStep(turnId: string, step: Step, events: readonly NewEvent[] = [], audit?: Invocation): SessionEvent[] {
		const numbered = this.#storage.transactionSync(() => {
			this.#sql.exec(
				"INSERT INTO steps (turn, seq, body, audit) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body, audit = excluded.audit",
				turnId,
				step.seq,
				JSON.stringify(step),
				audit ? JSON.stringify(audit) : null,
			);
			return this.#addEvents(turnId, events);
		});
		if (this.#open?.turn === turnId) {
			this.#open.steps = [...this.#open.steps.filter(({ seq }) => seq !== step.seq), step].sort(
				(a, b) => a.seq - b.seq,
			);
		}
		return numbered;
	}

	addEvents(turnId: string, events: readonly NewEvent[]): SessionEvent[] {
		return this.#storage.transactionSync(() => this.#addEvents(turnId, events));
	}

	#addEvents(turnId: string, events: readonly NewEvent[]): SessionEvent[] {
		return events.map(({ type, data }) => {
			const { seq } = this.#sql
				.exec<{ seq: number }>(
					"INSERT INTO events (turn, type, data) VALUES (?, ?, ?) RETURNING seq",
					turnId,
					type,
					JSON.stringify(data),
				)
				.one();
			return { seq, turnId, type, data };
		});
	}

	/** At least one where there is one, then no more than `maxEvents`, nor after `maxChars`: a page waits in memory for its reader. */
	eventsAfter(seq: number, { maxEvents, maxChars }: { maxEvents: number; maxChars: number }): SessionEvent[] {
		const query = "SELECT seq, turn, type, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?";
		const events: SessionEvent[] = [];
		let chars = 0;
		for (const row of this.#sql.exec<EventRow>(query, seq, maxEvents)) {
			events.push({ seq: row.seq, turnId: row.turn, type: row.type, data: JSON.parse(row.data) });
			chars += row.data.length;
			if (chars >= maxChars) break;
		}
		return events;
	}

	lastEventSeq(): number {
		return this.#sql.exec<{ seq: number }>("SELECT coalesce(max(seq), 0) AS seq FROM events").one().seq;
	}

	/** The number before the first event of a turn. */
	seqBefore(turnId: string): number {
		const { seq } = this.#sql
			.exec<{ seq: number | null }>("SELECT min(seq) AS seq FROM events WHERE turn = ?", turnId)
			.one();
		return seq === null ? this.lastEventSeq() : seq - 1;
	}
}

/** Turns that may wait behind a running one. */
export const maxQueuedTurns = 16;

type TurnRow = {
	id: string;
	body: string;
	status: Turn["status"];
	cancelled: number;
	recoveries: number;
	error: string | null;
	started_at: number;
	ended_at: number | null;
	flushed_seq: number;
	settled: number;
};
type EventRow = { seq: number; turn: string; type: SessionEvent["type"]; data: string };

function toTurn(row: TurnRow): StoredTurn {
	const { agent, message, principal } = JSON.parse(row.body) as Pick<StoredTurn, "agent" | "message" | "principal">;
	return {
		id: row.id,
		agent,
		message,
		principal,
		status: row.status,
		cancelled: row.cancelled === 1,
		recoveries: row.recoveries,
		error: row.error === null ? undefined : JSON.parse(row.error),
		startedAt: row.started_at,
		endedAt: row.ended_at ?? undefined,
		flushedSeq: row.flushed_seq,
		settled: row.settled === 1,
	};
}

function reviveAudit(json: string): Invocation {
	const audit = JSON.parse(json) as Omit<Invocation, "createdAt"> & { createdAt: string };
	return { ...audit, createdAt: new Date(audit.createdAt) };
}
