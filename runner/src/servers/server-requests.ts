import type { Calls } from "./calls";
import {
	errorText,
	type IdText,
	idText,
	type NotificationMessage,
	type RequestMessage,
	type ResponseMessage,
	rawOf,
	resultText,
	withValues,
} from "./message";
import { canAnswer, type Session, type Sessions } from "./sessions";

/** Of requests that no client has answered. */
const maxAsked = 256;

interface Options {
	readonly write: (text: string) => boolean;
	readonly sessions: Sessions;
	readonly calls: Calls;
}

/** What a server says of its own accord: requests to a client, and notifications that belong to no request. */
export class ServerRequests {
	readonly #options: Options;
	/** Who was asked what, under the server's own ids. */
	readonly #asked = new Map<IdText, { request: RequestMessage; session: Session }>();

	constructor(options: Options) {
		this.#options = options;
	}

	/** Asks the one client whom it can be meant for; the pipe does not tell, so with two of them at work nobody is asked. */
	ask(request: RequestMessage): void {
		const { method, id } = request;
		if (method === "ping") this.#options.write(resultText(rawOf(request, ["id"]) ?? id, "{}"));
		else if (this.#asked.has(id)) this.refuse(request, "A request with this id is still open.", -32600);
		else if (this.#asked.size >= maxAsked) this.refuse(request, "Too many requests are open.", -32600);
		else this.#askClient(request);
	}

	refuse(request: RequestMessage, message: string, code = -32601): void {
		this.#options.write(errorText(request.id, code, message));
	}

	/** Hands a client's answer to the server; only whoever was asked may answer. */
	answer(response: ResponseMessage, session: Session): void {
		const asked = response.id === undefined ? undefined : this.#asked.get(response.id);
		if (!asked || asked.session !== session) return;
		this.#asked.delete(asked.request.id);
		const id = rawOf(asked.request, ["id"]) ?? asked.request.id;
		this.#options.write(withValues(response, [{ path: ["id"], value: id }]));
	}

	/** Tells the server that a client which it asked is gone. */
	forget(session: Session): void {
		for (const { request, session: asked } of [...this.#asked.values()]) {
			if (asked !== session) continue;
			this.#asked.delete(request.id);
			this.refuse(request, "The client went away.", -32000);
		}
	}

	/** Passes a notification on. A withdrawal goes to whoever was asked; all else goes to every session, or to the only request of the protocol without sessions that it can be about. */
	announce(notification: NotificationMessage): void {
		if (notification.method === "notifications/cancelled") this.#withdraw(notification);
		else this.#tellAll(notification);
	}

	#tellAll(notification: NotificationMessage): void {
		for (const session of this.#options.sessions.all()) this.#send(session, notification.text);
		const [call, second] = this.#options.calls.all().filter(({ session }) => !session);
		if (call && !second) call.sink.send(notification.text);
	}

	#askClient(request: RequestMessage): void {
		const session = this.#whoIsMeant(request.method);
		if (session && this.#send(session, request.text)) this.#asked.set(request.id, { request, session });
		else this.refuse(request, `No client can be asked for ${request.method} now.`);
	}

	/** The ids are the server's own on both sides, so the message goes as it is. */
	#withdraw(notification: NotificationMessage): void {
		const asked = this.#asked.get(idText(notification.params.requestId) ?? "");
		if (asked && this.#asked.delete(asked.request.id)) this.#send(asked.session, notification.text);
	}

	#whoIsMeant(method: string): Session | undefined {
		const able = this.#options.sessions.all().filter((session) => canAnswer(session, method));
		const busy = able.filter((session) => this.#options.calls.of(session).length > 0);
		const [session, second] = busy.length > 0 ? busy : able.filter(({ stream }) => stream);
		return second ? undefined : session;
	}

	/** Over the session's own stream, else along with the answer to its latest request. */
	#send(session: Session, text: string): boolean {
		if (session.stream?.send(text)) return true;
		return this.#options.calls.of(session).at(-1)?.sink.send(text) ?? false;
	}
}
