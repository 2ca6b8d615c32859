import { onTestFinished } from "vitest";

/** One request that a provider got. */
export interface ProviderRequest {
	readonly url: string;
	readonly headers: Headers;
	readonly body: string;
}

type Reply = (request: ProviderRequest) => Response | Promise<Response>;

export const json = (body: unknown, init?: ResponseInit): Response => new Response(JSON.stringify(body), init);

export const ok = (): Response => new Response("ok");

/** An overload that wants to be asked again after so many seconds. */
export const busy = (seconds: number) => (): Response =>
	new Response("", { status: 503, headers: { "Retry-After": String(seconds) } });

/** Stands for the outside world until the test is over: replies as told, the last reply for ever, and remembers what came. */
export function provider(...replies: [Reply, ...Reply[]]) {
	const requests: ProviderRequest[] = [];
	const { fetch } = globalThis;
	onTestFinished(() => {
		globalThis.fetch = fetch;
	});
	globalThis.fetch = async (input, init) => {
		const url = input instanceof Request ? input.url : String(input);
		const request = { url, headers: new Headers(init?.headers), body: String(init?.body ?? "") };
		const reply = replies[Math.min(requests.length, replies.length - 1)];
		requests.push(request);
		if (!reply) throw new Error("The provider has no reply.");
		return await reply(request);
	};
	return {
		requests,
		/** Replies from now on. */
		reply(...next: [Reply, ...Reply[]]) {
			replies.splice(0, replies.length, ...Array.from(requests, () => next[0]), ...next);
		},
	};
}

/** A reply that is held for ever. */
export function unanswered() {
	let asked = false;
	return {
		reply: () => {
			asked = true;
			return new Promise<never>(() => {});
		},
		/** Looked for in the test's own time: workerd crashes when an object is killed from within its own step. */
		async arrived(): Promise<void> {
			while (!asked) await scheduler.wait(1);
		},
	};
}
