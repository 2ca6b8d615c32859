import { onOneLine } from "./message";
import type { Sink } from "./sink";

/** What a client that reads too slowly may leave unread, in memory, before it is cut off. */
const maxQueuedBytes = 67_108_864;
/** Idle connections are cut on the way; a comment tells whoever does that that this one is not. */
const keepAliveMs = 25_000;
const encoder = new TextEncoder();
const eventStreamHeaders = {
	"content-type": "text/event-stream",
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
};

/** A body of server-sent events; `gone` is called when the reader goes, or is cut off, before the end. */
class EventStream {
	readonly body: ReadableStream<Uint8Array>;
	readonly #timer: NodeJS.Timeout;
	readonly #gone: () => void;
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;

	constructor(gone: () => void) {
		this.#gone = gone;
		const strategy = new ByteLengthQueuingStrategy({ highWaterMark: maxQueuedBytes });
		const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
			this.#controller = controller;
		};
		this.body = new ReadableStream({ start, cancel: () => this.#leave() }, strategy);
		this.#timer = setInterval(() => this.#write(": still here\n\n"), keepAliveMs);
		this.#timer.unref();
	}

	send(text: string): boolean {
		return this.#write(`event: message\ndata: ${onOneLine(text)}\n\n`);
	}

	close(): void {
		clearInterval(this.#timer);
		this.#controller?.close();
		this.#controller = undefined;
	}

	#write(text: string): boolean {
		if (!this.#controller) return false;
		this.#controller.enqueue(encoder.encode(text));
		if ((this.#controller.desiredSize ?? 0) > 0) return true;
		this.#controller.error(new Error("The reader is too slow."));
		this.#leave();
		return false;
	}

	#leave(): void {
		clearInterval(this.#timer);
		this.#controller = undefined;
		this.#gone();
	}
}

export interface HttpReplyOptions {
	/** Whether the client reads server-sent events. */
	readonly acceptsStream: boolean;
	/** How long an answer may take before the headers are sent without it. */
	readonly streamAfterMs: number;
	/** Aborted when the connection is gone. */
	readonly signal: AbortSignal;
}

/** Answers one POST: plain JSON when the answer is all there is to say and comes soon, otherwise a stream of events. */
export class HttpReply implements Sink {
	readonly response: Promise<Response>;
	readonly #options: HttpReplyOptions;
	readonly #respond: (response: Response) => void;
	readonly #timer: NodeJS.Timeout | undefined;
	readonly #abort = () => this.#leave();
	#stream: EventStream | undefined;
	#isOver = false;
	#whenGone: (() => void) | undefined;

	constructor(options: HttpReplyOptions) {
		this.#options = options;
		const { promise, resolve } = Promise.withResolvers<Response>();
		this.response = promise;
		this.#respond = resolve;
		options.signal.addEventListener("abort", this.#abort, { once: true });
		if (options.acceptsStream) this.#timer = setTimeout(() => this.#open(), options.streamAfterMs);
	}

	get isOver(): boolean {
		return this.#isOver;
	}

	onGone(callback: () => void): void {
		this.#whenGone = callback;
	}

	send(text: string): boolean {
		if (this.#isOver || !this.#options.acceptsStream) return false;
		return this.#open().send(text);
	}

	finish(text: string, status = 200): void {
		if (!this.#end()) return;
		if (this.#stream) {
			this.#stream.send(text);
			this.#stream.close();
		} else {
			this.#respond(new Response(text, { status, headers: { "content-type": "application/json" } }));
		}
	}

	close(): void {
		if (this.#isOver) return;
		const stream = this.#open();
		this.#end();
		stream.close();
	}

	#open(): EventStream {
		if (this.#stream) return this.#stream;
		clearTimeout(this.#timer);
		this.#stream = new EventStream(this.#abort);
		this.#respond(new Response(this.#stream.body, { headers: eventStreamHeaders }));
		return this.#stream;
	}

	#leave(): void {
		if (!this.#end()) return;
		this.#stream?.close();
		// Nobody reads it; an unanswered request would keep its handler for ever.
		this.#respond(new Response(null, { status: 499 }));
		this.#whenGone?.();
	}

	/** False when it was over before. */
	#end(): boolean {
		if (this.#isOver) return false;
		this.#isOver = true;
		clearTimeout(this.#timer);
		this.#options.signal.removeEventListener("abort", this.#abort);
		return true;
	}
}
