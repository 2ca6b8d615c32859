import { type SessionEvent, toServerSentEvent } from "../shared/events";

/** Reads the stored log, so that what a watcher gets is what is stored, in order, each once. */
export interface EventLog {
	eventsAfter(seq: number, limit: number): SessionEvent[];
}

export interface Watch {
	/** The number after which the client wants to go on. */
	readonly after: number;
	/** Only this turn's events, and the stream ends with its `turn-end`. */
	readonly turnId?: string | undefined;
}

interface Watcher {
	wake(): void;
	end(): void;
}

/** Who watches the session now. A slow client costs a cursor, not a buffer: it is fed from the log as it reads. */
export class EventFeed {
	readonly #log: EventLog;
	readonly #watchers = new Set<Watcher>();

	constructor(log: EventLog) {
		this.#log = log;
	}

	/** Tells every watcher that the log has grown. */
	announce(): void {
		for (const { wake } of this.#watchers) wake();
	}

	/** Ends every watch: the session is gone. */
	close(): void {
		for (const { end } of this.#watchers) end();
		this.#watchers.clear();
	}

	/** The log from a number on as server-sent events, then what comes, until the client hangs up. */
	watch({ after, turnId }: Watch): ReadableStream<Uint8Array> {
		const encoder = new TextEncoder();
		const log = this.#log;
		let cursor = after;
		let watcher: Watcher | undefined;
		const stop = () => {
			if (watcher) this.#watchers.delete(watcher);
		};
		return new ReadableStream<Uint8Array>(
			{
				start: (controller) => {
					watcher = {
						wake: () => {
							if ((controller.desiredSize ?? 0) > 0) feed(controller);
						},
						end: () => controller.close(),
					};
					this.#watchers.add(watcher);
					controller.enqueue(encoder.encode("retry: 1000\n\n"));
				},
				pull: (controller) => feed(controller),
				cancel: stop,
			},
			{ highWaterMark: 4 },
		);

		function feed(controller: ReadableStreamDefaultController<Uint8Array>): void {
			for (;;) {
				const events = log.eventsAfter(cursor, pageSize);
				if (events.length === 0) return;
				cursor = events.at(-1)?.seq ?? cursor;
				const shown = turnId ? events.filter((event) => event.turnId === turnId) : events;
				if (shown.length > 0) controller.enqueue(encoder.encode(shown.map(toServerSentEvent).join("")));
				if (turnId && shown.some((event) => event.type === "turn-end")) {
					stop();
					controller.close();
					return;
				}
				if (shown.length > 0) return;
			}
		}
	}
}

/** Events read from the log at a time. */
const pageSize = 100;
