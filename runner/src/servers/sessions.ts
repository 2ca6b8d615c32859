import { randomUUID } from "node:crypto";
import type { Sink } from "./sink";

/** One client of the protocol with sessions. */
export interface Session {
	readonly id: string;
	readonly capabilities: Readonly<Record<string, unknown>>;
	/** Its standing stream for what belongs to none of its requests. */
	stream: Sink | undefined;
}

export const newSessionId = (): string => randomUUID();

/** The sessions of one process; the one that was used longest ago makes room when there are too many. */
export class Sessions {
	readonly #maxCount: number;
	readonly #byId = new Map<string, Session>();

	constructor(maxCount: number) {
		this.#maxCount = maxCount;
	}

	get size(): number {
		return this.#byId.size;
	}

	/** Answers the session that had to make room. */
	add(session: Session): Session | undefined {
		this.#byId.set(session.id, session);
		if (this.#byId.size <= this.#maxCount) return undefined;
		const [oldest] = this.#byId.values();
		if (oldest) this.#byId.delete(oldest.id);
		return oldest;
	}

	/** Counts as a use. */
	find(id: string): Session | undefined {
		const session = this.#byId.get(id);
		if (session && this.#byId.delete(id)) this.#byId.set(id, session);
		return session;
	}

	delete(session: Session): void {
		this.#byId.delete(session.id);
	}

	all(): Session[] {
		return [...this.#byId.values()];
	}
}

/** What a client must have said it can do before a server may ask it. */
const neededCapability: ReadonlyMap<string, string> = new Map([
	["sampling/createMessage", "sampling"],
	["elicitation/create", "elicitation"],
	["roots/list", "roots"],
]);

export function canAnswer({ capabilities }: Session, method: string): boolean {
	const needed = neededCapability.get(method);
	return needed === undefined || Object.hasOwn(capabilities, needed);
}
