import { CallDeadline, type Patience } from "./call-deadline";
import { type Call, Calls } from "./calls";
import { notStarted, outcomeUnknown, type ServerFailed } from "./failure";
import { Handshake } from "./handshake";
import {
	cancelText,
	errorText,
	idText,
	type Message,
	type NotificationMessage,
	type RequestMessage,
	type ResponseMessage,
	readMessage,
} from "./message";
import { probeMethod } from "./modern-request";
import { ServerRequests } from "./server-requests";
import { type Session, Sessions } from "./sessions";
import type { Sink } from "./sink";
import {
	answerForClient,
	cancellationForServer,
	listenMethod,
	progressForClient,
	publicationForClient,
	requestForServer,
	subscriptionOf,
} from "./translate";

const maxSessions = 256;
const maxCalls = 1_024;

export interface SwitchboardOptions {
	/** Writes one message to the server; false when that cannot be done. */
	readonly write: (text: string) => boolean;
	readonly patience: Patience;
	/** For an answer to the first question that any server gets. */
	readonly startTimeoutMs: number;
	/** Called with what an undecided process says, or does, when it is asked which revisions it speaks. */
	readonly probed: (speaksModern: boolean) => void;
}

/** Connects the clients of one server process with its one pair of pipes. */
export class Switchboard {
	readonly #options: SwitchboardOptions;
	readonly #calls = new Calls();
	readonly #sessions = new Sessions(maxSessions);
	readonly #handshake = new Handshake();
	readonly #requests: ServerRequests;
	#hasSpoken = false;
	#speaksModern = false;
	#wasOnlyProbed = true;
	#isShut = false;
	#lastUsedAt = performance.now();
	/** Answers that nobody waits for. */
	strayAnswers = 0;
	tooLargeMessages = 0;

	constructor(options: SwitchboardOptions) {
		this.#options = options;
		this.#requests = new ServerRequests({ write: options.write, sessions: this.#sessions, calls: this.#calls });
	}

	get callCount(): number {
		return this.#calls.size;
	}

	get sessionCount(): number {
		return this.#sessions.size;
	}

	/** Whether the server has sent any message. */
	get hasSpoken(): boolean {
		return this.#hasSpoken;
	}

	/** What the process has been taken for. One that serves requests without sessions begins no session, and the other way round. */
	get era(): "legacy" | "modern" | undefined {
		if (this.#handshake.isBegun) return "legacy";
		return this.#speaksModern ? "modern" : undefined;
	}

	/** Whether it got nothing but the question which revisions it speaks. */
	get wasOnlyProbed(): boolean {
		return this.#wasOnlyProbed;
	}

	idleMs(now: number): number {
		return this.#calls.size > 0 ? 0 : now - this.#lastUsedAt;
	}

	findSession(id: string): Session | undefined {
		return this.#sessions.find(id);
	}

	/** Begins a session; the server itself is asked the first time only. */
	initialize(request: RequestMessage, sink: Sink, session: Session): void {
		this.#handshake.join({ request, sink, begin: () => this.#begin(session) }, (asked) =>
			this.#call(request, asked, undefined, this.#options.patience),
		);
	}

	/** Sends a request on; `session` is undefined for the protocol without sessions. */
	call(request: RequestMessage, sink: Sink, session: Session | undefined): void {
		const isTaken = session && this.#calls.of(session).some(({ request: { id } }) => id === request.id);
		if (isTaken) {
			sink.finish(errorText(request.id, -32600, "A request with this id is still open."), 400);
			return;
		}
		const isProbe = request.method === probeMethod;
		if (!session && !isProbe) this.#speaksModern = true;
		this.#call(request, sink, session, this.#patienceFor(request));
	}

	notify(notification: NotificationMessage, session: Session): void {
		if (notification.method === "notifications/initialized" && !this.#handshake.takeInitialized()) return;
		if (notification.method === "notifications/cancelled") this.#cancel(notification, session);
		else this.#options.write(notification.text);
	}

	/** Takes a client's answer to something that the server asked it. */
	answer(response: ResponseMessage, session: Session): void {
		this.#requests.answer(response, session);
	}

	openStream(session: Session, stream: Sink): void {
		session.stream?.close();
		session.stream = stream;
		stream.onGone(() => {
			if (session.stream === stream) session.stream = undefined;
		});
	}

	endSession(session: Session): void {
		this.#sessions.delete(session);
		for (const call of this.#calls.of(session)) {
			this.#abandon(call, "The session ended.");
			call.sink.close();
		}
		this.#requests.forget(session);
		session.stream?.close();
	}

	/** Takes a line of the server's output; false when it is no message. */
	receive(line: string): boolean {
		const message = readMessage(line);
		if (!message) return false;
		this.#hasSpoken = true;
		this.#route(message);
		return true;
	}

	/** Takes what is known of a message over the limit: the call that it answers fails, and no other. */
	receiveTooLarge(outline: string, maxBytes: number): void {
		this.tooLargeMessages++;
		const message = readMessage(outline);
		if (message?.kind === "request") this.#requests.refuse(message, "The request is over the runner's limit.");
		const call = message?.kind === "response" && message.id && this.#calls.get(JSON.parse(message.id));
		if (!call || !this.#settle(call)) return;
		this.#fail(call, outcomeUnknown("message_too_large", `The server's answer has more than ${maxBytes} bytes.`));
	}

	/** Ends everything: the process is gone, or is about to be. */
	shut(failureFor: () => ServerFailed): void {
		this.#isShut = true;
		for (const call of this.#calls.all()) {
			if (!this.#settle(call)) continue;
			if (call.request.method === probeMethod && !this.#hasSpoken) this.#answerProbe(call, "ended");
			else this.#fail(call, failureFor());
		}
		for (const session of this.#sessions.all()) {
			session.stream?.close();
			this.#sessions.delete(session);
		}
	}

	#begin(session: Session): void {
		const evicted = this.#sessions.add(session);
		if (evicted) this.endSession(evicted);
	}

	#call(request: RequestMessage, sink: Sink, session: Session | undefined, patience: Patience | undefined): void {
		const id = this.#calls.nextId();
		if (request.method !== probeMethod) this.#wasOnlyProbed = false;
		const refusal = this.#send(requestForServer(request, id));
		if (refusal) {
			sink.finish(refusal.textFor(request.id), refusal.status);
			return;
		}
		const deadline = patience && new CallDeadline(patience, () => this.#timeOut(call, patience));
		const call: Call = { id, request, session, sink, deadline };
		this.#calls.add(call);
		// With sessions, a lost connection is no wish to cancel; without them it is the only way to say so.
		if (!session && request.method !== "initialize") sink.onGone(() => this.#abandon(call, "The client went away."));
	}

	#patienceFor({ method }: RequestMessage): Patience | undefined {
		if (method === listenMethod) return undefined;
		const { patience, startTimeoutMs } = this.#options;
		return method === probeMethod ? { idleMs: startTimeoutMs, maxMs: startTimeoutMs } : patience;
	}

	#send(text: string): ServerFailed | undefined {
		if (this.#isShut) return notStarted("ended", "The server ended before it got the request.");
		if (this.#calls.size < maxCalls && this.#options.write(text)) return undefined;
		return notStarted("overloaded", "The server does not take more requests now.", 1_000);
	}

	#route(message: Message): void {
		if (message.kind === "request") this.#requests.ask(message);
		else if (message.kind === "response") this.#deliver(message);
		else this.#hear(message);
	}

	#hear(notification: NotificationMessage): void {
		const subscription = subscriptionOf(notification);
		if (notification.method === "notifications/progress") this.#progress(notification);
		else if (subscription !== undefined) this.#publish(notification, subscription);
		else this.#requests.announce(notification);
	}

	#deliver(response: ResponseMessage): void {
		const call = response.id === undefined ? undefined : this.#calls.get(JSON.parse(response.id));
		if (!call || !this.#settle(call)) {
			this.strayAnswers++;
			return;
		}
		call.sink.finish(answerForClient(call.request, response), call.session ? 200 : statusOf(response.errorCode));
		if (call.request.method === probeMethod) this.#takeVerdict(response.errorCode === undefined);
	}

	#takeVerdict(speaksModern: boolean): void {
		if (this.era !== undefined) return;
		this.#speaksModern = speaksModern;
		this.#options.probed(speaksModern);
	}

	#progress(notification: NotificationMessage): void {
		const call = this.#calls.get(notification.params.progressToken);
		const text = call && progressForClient(call.request, notification);
		if (!text) return;
		call.deadline?.extend();
		call.sink.send(text);
	}

	#publish(notification: NotificationMessage, subscription: unknown): void {
		const call = this.#calls.get(subscription);
		if (call) call.sink.send(publicationForClient(call.request, notification));
	}

	#cancel(notification: NotificationMessage, session: Session): void {
		const id = idText(notification.params.requestId);
		const call = this.#calls.of(session).find(({ request }) => request.id === id);
		if (!call || !this.#settle(call)) return;
		this.#options.write(cancellationForServer(notification, call.id));
		call.sink.close();
	}

	#abandon(call: Call, reason: string): void {
		if (this.#settle(call)) this.#options.write(cancelText(call.id, reason));
	}

	#timeOut(call: Call, { maxMs }: Patience): void {
		if (!this.#settle(call)) return;
		if (call.request.method === probeMethod) {
			this.#answerProbe(call, "gave no answer");
			return;
		}
		// The protocol has no way to take back the first request of a session.
		if (call.request.method !== "initialize") this.#options.write(cancelText(call.id, "It took too long."));
		const said = `The server gave no sign of life in time, or took more than ${maxMs} ms in all.`;
		this.#fail(call, outcomeUnknown("timed_out", said));
	}

	/** What such a client needs to hear to fall back on an older revision. */
	#answerProbe({ request, sink }: Call, whatItDid: string): void {
		const message = `The server ${whatItDid} when it was asked for ${probeMethod}: it speaks an older revision.`;
		sink.finish(errorText(request.id, -32601, message), statusOf(-32601));
		this.#takeVerdict(false);
	}

	#fail({ request, sink }: Call, failed: ServerFailed): void {
		sink.finish(failed.textFor(request.id), failed.status);
	}

	#settle(call: Call): boolean {
		this.#lastUsedAt = performance.now();
		return this.#calls.settle(call);
	}
}

/** What the protocol without sessions wants HTTP to say along with an error. */
function statusOf(errorCode: number | undefined): number {
	if (errorCode === -32601) return 404;
	return errorCode !== undefined && errorCode <= -32020 && errorCode >= -32022 ? 400 : 200;
}
