import { type SessionEvent, toServerSentEvent } from "../shared/events";

/** Reads the stored log, so that what a watcher gets is what is stored, in order, each once. */
export interface EventLog {
	eventsAfter(seq: number, page: { maxEvents: number; maxChars: number }): SessionEvent[];
}

export interface Watch {
	/** The number after which the client wants to go on. */
	readonly after: number;
	/** Only this turn's events, and the stream ends with its `turn-end`. */
	readonly turnId?: string | undefined;
}

interface Watcher {
	wake(): void;
	/** Sends a comment, which clients leave out. */
	beat(): void;
	end(): void;
}

/** Who watches the session now. A slow client costs a cursor, not a buffer: it is fed from the log as it reads. */
export class EventFeed {
	readonly #log: EventLog;
	readonly #watchers = new Set<Watcher>();
	#pulse: ReturnType<typeof setInterval> | undefined;

	constructor(log: EventLog) {
		this.#log = log;
	}

	/** Tells every watcher that the log has grown. */
	announce(): void {
		for (const { wake } of this.#watchers) wake();
	}

	/** Ends every watch: the session is gone. */
	close(): void {
		for (const watcher of this.#watchers) {
			watcher.end();
			this.#leave(watcher);
		}
	}

	#join(watcher: Watcher): void {
		this.#watchers.add(watcher);
		this.#pulse ??= setInterval(() => {
			for (const { beat } of this.#watchers) beat();
		}, pulseMs);
	}

	#leave(watcher: Watcher): void {
		this.#watchers.delete(watcher);
		if (this.#watchers.size > 0 || this.#pulse === undefined) return;
		clearInterval(this.#pulse);
		this.#pulse = undefined;
	}

	/** The log from a number on as server-sent events, then what comes, until the client hangs up. */
	watch({ after, turnId }: Watch): ReadableStream<Uint8Array> {
		const encoder = new TextEncoder();
		const log = this.#log;
		let cursor = after;
		let watcher: Watcher | undefined;
		const stop = () => {
			if (watcher) this.#leave(watcher);
		};
		return new ReadableStream<Uint8Array>(
			{
				start: (controller) => {
					watcher = {
						wake: () => {
							if ((controller.desiredSize ?? 0) > 0) feed(controller);
						},
						beat: () => {
							if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(":\n\n"));
						},
						end: () => controller.close(),
					};
					this.#join(watcher);
					controller.enqueue(encoder.encode("retry: 1000\n\n"));
				},
				pull: (controller) => feed(controller),
				cancel: stop,
			},
			{ highWaterMark: 2 },
		);

		function feed(controller: ReadableStreamDefaultController<Uint8Array>): void {
			for (;;) {
				const events = log.eventsAfter(cursor, page);
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

/** What is read from the log at a time; a watcher that does not read holds two of them. */
const page = { maxEvents: 100, maxChars: 64_000 };
/** What stands between drops a connection on which nothing moves; a minute is the shortest that is usual. */
const pulseMs = 20_000;
