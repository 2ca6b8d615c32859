import { DurableObject } from "cloudflare:workers";
import { isOver, type Turn } from "../agent/journal";
import { type TurnView, viewOf } from "../agent/view";
import type { Page, PageQuery } from "../db/page";
import { deleteSession } from "../db/sessions";
import type { Env } from "../env";
import { hasPermission, type Principal } from "../shared/principal";
import type { SessionMessage } from "../shared/session";
import { readMessages } from "./conversation";
import { deploymentOf } from "./deployment";
import { EventFeed } from "./event-feed";
import { SessionDrive } from "./session-drive";
import { maxQueuedTurns, type SessionHead, SessionStore, type StoredTurn } from "./session-store";

/** A turn to begin; `turnId` makes a repeat of the request harmless. */
export interface TurnRequest {
	readonly sessionId: string;
	readonly turnId: string;
	readonly agent: string;
	readonly message: string;
	readonly principal: Principal;
}

/** An expected answer is returned, not thrown across RPC. `after` is the event number before the turn's first. */
export type StartReply =
	| { ok: true; after: number; status: Turn["status"] }
	| { ok: false; code: "conflict" | "not_found" | "rate_limited"; message: string };

/**
 * One conversation: its turns, one at a time, driven by the object itself. A client that hangs up changes nothing;
 * an alarm is armed while a turn is open, so that the turn goes on after the object's death.
 */
export class SessionObject extends DurableObject<Env> {
	readonly #store: SessionStore;
	readonly #feed: EventFeed;
	readonly #drive: SessionDrive;
	#removing = false;
	/** How the object reaches the world; a test puts its own in. */
	fetcher: typeof fetch = (input, init) => fetch(input, init);

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		this.#store = new SessionStore(ctx.storage);
		this.#feed = new EventFeed(this.#store);
		this.#drive = new SessionDrive({
			ctx,
			store: this.#store,
			feed: this.#feed,
			deployment: () => deploymentOf(env),
			fetcher: () => this.fetcher,
		});
	}

	/** Begins a turn, or queues it behind the one that goes. */
	async start(request: TurnRequest): Promise<StartReply> {
		const { turnId, agent, message, principal, sessionId } = request;
		const head = this.#store.head();
		if (this.#removing) return { ok: false, code: "conflict", message: `The session ${sessionId} is being deleted.` };
		if (head && !mayUse(head, principal)) return { ok: false, code: "not_found", message: `No session ${sessionId}.` };
		if (head && head.agent !== agent) {
			return {
				ok: false,
				code: "conflict",
				message: `The session ${sessionId} belongs to the agent ${head.agent}. Start another session for ${agent}.`,
			};
		}
		const known = head && this.#store.turn(turnId);
		if (known) {
			this.#drive.wake();
			return { ok: true, after: this.#store.seqBefore(turnId), status: known.status };
		}
		const waiting = head ? this.#store.unsettledTurns().filter(({ status }) => !isOver(status)).length : 0;
		if (waiting > maxQueuedTurns) {
			return {
				ok: false,
				code: "rate_limited",
				message: `${waiting} turns are waiting in this session. Wait for some to end.`,
			};
		}
		const now = Date.now();
		const turn: StoredTurn = {
			id: turnId,
			agent,
			message,
			principal,
			status: waiting > 0 ? "queued" : "running",
			startedAt: now,
			cancelled: false,
			recoveries: 0,
			flushedSeq: 0,
			settled: false,
		};
		const newHead = { id: sessionId, agent, principal: principal.id, title: message.slice(0, 120), createdAt: now };
		const [first] = this.#store.addTurn(newHead, turn, [{ type: "turn-start", data: { agent, message } }]);
		await this.#drive.begun(turnId);
		this.#feed.announce();
		this.#drive.wake();
		return { ok: true, after: (first?.seq ?? 1) - 1, status: turn.status };
	}

	/** The turn once it is over, or waits for long; undefined for one that is unknown or another's. */
	async result(turnId: string, principal: Principal): Promise<TurnView | undefined> {
		const turn = this.#find(turnId, principal);
		if (!turn) return undefined;
		if (!isOver(turn.status)) await this.#drive.over(turnId);
		return this.view(turnId, principal);
	}

	view(turnId: string, principal: Principal): TurnView | undefined {
		const turn = this.#find(turnId, principal);
		return turn && viewOf(this.#store.head()?.id ?? "", turn, this.#store.steps(turnId));
	}

	/** What a session is and whether a turn goes; undefined for one that is unknown or another's. */
	describe(
		principal: Principal,
	): (SessionHead & { turns: number; status: "idle" | "running"; turnIds: string[] }) | undefined {
		const head = this.#headFor(principal);
		if (!head) return undefined;
		const running = this.#store.unsettledTurns().some(({ status }) => !isOver(status));
		const turnIds = this.#store.latestTurns(shownTurns).map(({ id }) => id);
		return { ...head, turns: this.#store.countTurns(), status: running ? "running" : "idle", turnIds };
	}

	/** A page of the conversation, oldest first. */
	messages(principal: Principal, page: PageQuery): Page<SessionMessage> | undefined {
		return this.#headFor(principal) && readMessages(this.#store, page);
	}

	/** The event log after a number, then what comes, as server-sent events; with `turnId` it ends with that turn. */
	watch(principal: Principal, after: number, turnId?: string): ReadableStream<Uint8Array> | undefined {
		if (!this.#headFor(principal)) return undefined;
		this.#drive.wake();
		return this.#feed.watch({ after, turnId });
	}

	artifact(principal: Principal, id: string): string | undefined {
		return this.#headFor(principal) && this.#store.artifacts.get(id);
	}

	artifactIds(principal: Principal): string[] | undefined {
		return this.#headFor(principal) && this.#store.artifacts.ids();
	}

	/** Keeps a text that was too long for a reader; false when the session is unknown, another's or full. */
	keepArtifact(principal: Principal, id: string, text: string): boolean {
		if (!this.#headFor(principal)) return false;
		return this.#store.artifacts.put(id, text);
	}

	/** Ends the running turn and those that wait; answers how many, undefined for an unknown session. */
	async cancel(principal: Principal): Promise<number | undefined> {
		if (!this.#headFor(principal)) return undefined;
		const open = this.#store.unsettledTurns().filter(({ status }) => !isOver(status));
		for (const turn of open) this.#store.cancel(turn.id);
		this.#drive.interrupt();
		await Promise.all(open.map(({ id }) => this.result(id, principal)));
		return open.length;
	}

	/** Removes the session with all it owns; the audit stays. False for an unknown session. */
	async remove(principal: Principal): Promise<boolean> {
		const head = this.#headFor(principal);
		if (!head) return false;
		this.#removing = true;
		try {
			await this.cancel(principal);
			await this.#drive.rest();
			await deleteSession(deploymentOf(this.env).db, head.id);
			this.#feed.close();
			await this.ctx.storage.deleteAlarm();
			await this.ctx.storage.deleteAll();
			return true;
		} finally {
			this.#removing = false;
		}
	}

	/** The safety net: takes up a turn that a dead incarnation left, or looks again later while this one is at work. */
	override async alarm(): Promise<void> {
		if (!this.#store.head()) return;
		await this.#drive.rearm();
		this.#drive.wake();
	}

	#headFor(principal: Principal): SessionHead | undefined {
		const head = this.#store.head();
		return head && mayUse(head, principal) ? head : undefined;
	}

	#find(turnId: string, principal: Principal): StoredTurn | undefined {
		return this.#headFor(principal) && this.#store.turn(turnId);
	}
}

const mayUse = (head: SessionHead, principal: Principal) =>
	head.principal === principal.id || hasPermission(principal, "session:list");

const shownTurns = 50;
