import { type RequestMessage, rawOf, resultText } from "./message";
import type { Sink } from "./sink";

/** A client that wants to begin a session. */
export interface Newcomer {
	readonly request: RequestMessage;
	readonly sink: Sink;
	/** Called before the client hears that its session began. */
	begin(): void;
}

/** A server process is initialised once; every later client gets the answer that the first one got. */
export class Handshake {
	#result: string | undefined;
	#waiting: { newcomer: Newcomer; ask: (sink: Sink) => void }[] = [];
	#isAsking = false;
	#isInitializedSaid = false;

	get isBegun(): boolean {
		return this.#isAsking || this.#result !== undefined;
	}

	/** `ask` sends the newcomer's own request to the server; only one such is under way at a time. */
	join(newcomer: Newcomer, ask: (sink: Sink) => void): void {
		if (this.#result !== undefined) admit(newcomer, this.#result);
		else if (this.#isAsking) this.#waiting.push({ newcomer, ask });
		else this.#ask(newcomer, ask);
	}

	#ask(newcomer: Newcomer, ask: (sink: Sink) => void): void {
		this.#isAsking = true;
		const { sink } = newcomer;
		ask({
			send: (text) => sink.send(text),
			finish: (text, status) => this.#settle(newcomer, text, status),
			close: () => sink.close(),
			onGone: (callback) => sink.onGone(callback),
		});
	}

	/** True for the first client that says so: the server hears it once. */
	takeInitialized(): boolean {
		const isFirst = !this.#isInitializedSaid;
		this.#isInitializedSaid = true;
		return isFirst;
	}

	#settle(newcomer: Newcomer, text: string, status: number | undefined): void {
		this.#isAsking = false;
		this.#result = rawOf({ text }, ["result"]);
		if (this.#result !== undefined) newcomer.begin();
		newcomer.sink.finish(text, status);
		for (const { newcomer: next, ask } of this.#waiting.splice(0)) this.join(next, ask);
	}
}

function admit({ request, sink, begin }: Newcomer, result: string): void {
	begin();
	sink.finish(resultText(rawOf(request, ["id"]) ?? request.id, result));
}
