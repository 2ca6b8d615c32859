import type { CallDeadline } from "./call-deadline";
import type { IdText, RequestMessage } from "./message";
import type { Session } from "./sessions";
import type { Sink } from "./sink";

/** A request that the server has and that is not answered yet. */
export interface Call {
	/** Ours, unique in the life of one process; it is the progress token as well. */
	readonly id: number;
	readonly request: RequestMessage;
	/** Undefined for the protocol without sessions. */
	readonly session: Session | undefined;
	readonly sink: Sink;
	/** A subscription is open for as long as its client wants. */
	readonly deadline: CallDeadline | undefined;
}

/** The open requests of one process, under ids of our own: those of two clients may be equal. */
export class Calls {
	readonly #open = new Map<IdText, Call>();
	#lastId = 0;

	get size(): number {
		return this.#open.size;
	}

	nextId(): number {
		return ++this.#lastId;
	}

	add(call: Call): void {
		this.#open.set(String(call.id), call);
	}

	/** Some servers answer a number with a string. */
	get(id: unknown): Call | undefined {
		return this.#open.get(String(id));
	}

	/** Removes it, so that nothing else can answer it; false when it was answered before. */
	settle(call: Call): boolean {
		call.deadline?.clear();
		return this.#open.delete(String(call.id));
	}

	of(session: Session): Call[] {
		return this.all().filter((call) => call.session === session);
	}

	all(): Call[] {
		return [...this.#open.values()];
	}
}
