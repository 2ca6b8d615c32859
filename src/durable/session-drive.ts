import { isOver } from "../agent/journal";
import { upsertSession } from "../db/sessions";
import { rootCause } from "../lib/root-cause";
import { uuid7 } from "../lib/uuid7";
import type { Deployment } from "./deployment";
import type { EventFeed } from "./event-feed";
import { flushTurn } from "./flush";
import type { SessionStore, StoredTurn } from "./session-store";
import { stepWorld } from "./step-world";
import { driveTurn } from "./turn-driver";
import { dropScratch } from "./workspace-files";

interface Parts {
	readonly ctx: DurableObjectState;
	readonly store: SessionStore;
	readonly feed: EventFeed;
	readonly deployment: () => Deployment;
	/** How the object reaches the world; asked for at each step. */
	readonly fetcher: () => typeof fetch;
}

/**
 * Takes a session's turns on, one at a time, for as long as something is to do, and leaves an alarm while a turn is open:
 * what the object's death cuts off is taken up when it fires. Nothing it needs for that is held in memory.
 */
export class SessionDrive {
	readonly #parts: Parts;
	readonly #waiters = new Map<string, PromiseWithResolvers<void>>();
	/** Turns this incarnation has begun or taken over; another one is found open only after a crash. */
	readonly #known = new Set<string>();
	/** By turn, whether the list of sessions has heard of it. */
	readonly #listings = new Map<string, Promise<boolean>>();
	#driving: Promise<void> | undefined;
	#cancel = new AbortController();
	#flushedAt = 0;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Says that a turn was begun by this incarnation, and arms the safety net before anything else can happen. */
	async begun(turnId: string): Promise<void> {
		this.#known.add(turnId);
		await this.rearm();
		const listing = this.#list(turnId).then(
			() => true,
			() => false,
		);
		this.#listings.set(turnId, listing);
		this.#parts.ctx.waitUntil(listing);
	}

	async rearm(): Promise<void> {
		await this.#parts.ctx.storage.setAlarm(Date.now() + safetyNetMs);
	}

	/** Starts the drive unless it goes. */
	wake(): void {
		const { ctx, store } = this.#parts;
		if (this.#driving || !store.head()) return;
		this.#driving = this.#drive()
			.catch((error) => this.#afterFailedDrive(error))
			.finally(() => {
				this.#driving = undefined;
			});
		ctx.waitUntil(this.#driving);
	}

	/** Resolves when the turn is over, or waits for long; it must be open. */
	async over(turnId: string): Promise<void> {
		this.wake();
		const waiter = this.#waiters.get(turnId) ?? Promise.withResolvers<void>();
		this.#waiters.set(turnId, waiter);
		await waiter.promise;
	}

	/** Stops what the running turn waits for; its `cancelled` mark must be stored. */
	interrupt(): void {
		this.#cancel.abort();
	}

	/** Resolves when nothing is driven. */
	async rest(): Promise<void> {
		await this.#driving;
	}

	/** Takes every open turn as far as it goes, oldest first, and leaves an alarm only if something is still to do. */
	async #drive(): Promise<void> {
		const { ctx, store } = this.#parts;
		for (;;) {
			const turn = nextToDrive(store.unsettledTurns());
			if (!turn) {
				await ctx.storage.deleteAlarm();
				return;
			}
			if (!isOver(turn.status)) {
				const until = await this.#driveTurn(turn);
				if (until !== undefined) {
					await ctx.storage.setAlarm(until);
					return;
				}
			}
			await this.#flush(turn.id);
		}
	}

	/** Answers when to go on, or undefined when the turn is over. */
	async #driveTurn(turn: StoredTurn): Promise<number | undefined> {
		const { store, feed, deployment, fetcher } = this.#parts;
		const sessionId = store.head()?.id ?? "";
		if (turn.status === "queued") store.updateTurn(turn.id, { status: "running", startedAt: Date.now() });
		if (!this.#known.has(turn.id)) this.#takeOver(turn);
		this.#cancel = new AbortController();
		const home = {
			sessionId,
			store,
			signal: this.#cancel.signal,
			now: () => Date.now(),
			newId: () => uuid7(),
			random: () => Math.random(),
			world: (current: StoredTurn) => stepWorld(deployment(), store, sessionId, current, fetcher()),
			announce: () => feed.announce(),
			stepped: (current: StoredTurn) => this.#flushNowAndThen(current.id),
		};
		const outcome = await driveTurn(home, turn.id);
		const until = outcome.over ? undefined : outcome.until;
		if (until === undefined || until > Date.now() + patienceMs) {
			this.#waiters.get(turn.id)?.resolve();
			this.#waiters.delete(turn.id);
		}
		return until;
	}

	/** What the drive could not do is done later; a turn that cannot be driven at all is given up in the end. */
	async #afterFailedDrive(error: unknown): Promise<void> {
		const { store } = this.#parts;
		const head = store.head();
		if (!head) return;
		console.error(JSON.stringify({ event: "drive-failed", session: head.id, problem: String(rootCause(error)) }));
		const turn = nextToDrive(store.unsettledTurns());
		if (turn && !isOver(turn.status)) store.setRecoveries(turn.id, turn.recoveries + 1);
		await this.rearm();
	}

	/** Counts a wake after a crash; a turn that only waited for its time did not crash. */
	#takeOver(turn: StoredTurn): void {
		const { store } = this.#parts;
		this.#known.add(turn.id);
		if (turn.status === "queued" || store.steps(turn.id).at(-1)?.state === "failed") return;
		store.setRecoveries(turn.id, turn.recoveries + 1);
	}

	async #flush(turnId: string): Promise<void> {
		const { store, deployment } = this.#parts;
		const turn = store.turn(turnId);
		const head = store.head();
		if (!turn || !head) return;
		this.#flushedAt = Date.now();
		if (!(await this.#listings.get(turnId))) await this.#list(turnId);
		await flushTurn(deployment().db, store, head.id, turn);
		if (!isOver(turn.status)) return;
		this.#listings.delete(turnId);
		// What stays behind when this fails is dropped by its own time.
		this.#parts.ctx.waitUntil(dropScratch(deployment(), turn, store.steps(turnId)).catch(() => undefined));
	}

	/** Writes to D1 what the list of sessions shows: when a turn begins, and with its audit if that did not succeed. */
	async #list(turnId: string): Promise<void> {
		const { store, deployment } = this.#parts;
		const head = store.head();
		const turn = store.turn(turnId);
		if (!head || !turn) return;
		const times = { createdAt: new Date(head.createdAt), updatedAt: new Date(turn.startedAt) };
		await upsertSession(deployment().db, { ...head, turns: store.countTurns(), ...times });
	}

	/** A long turn's audit does not wait for its end. A failure is mended by the flush at the end. */
	#flushNowAndThen(turnId: string): void {
		if (Date.now() - this.#flushedAt < flushEveryMs) return;
		this.#parts.ctx.waitUntil(this.#flush(turnId).catch(() => undefined));
	}
}

/** What is over goes to D1 first, then the turn that goes, then those that wait. */
const nextToDrive = (turns: readonly StoredTurn[]) =>
	turns.find(({ status }) => isOver(status)) ?? turns.find(({ status }) => status === "running") ?? turns[0];

/** An open turn is looked after at least this often; what a crash leaves is taken up within it. */
const safetyNetMs = 15_000;
const flushEveryMs = 5_000;
/** A client that waits for the turn is told of a longer wait. */
const patienceMs = 60_000;
