import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

export interface Received {
	readonly url: string;
	readonly body: string;
	readonly headers: Headers;
}

/** Puts a receiver in place of the world outside a channel's object; answers what it gets. */
export async function receiverFor(channel: string, answer: () => Response): Promise<Received[]> {
	const received: Received[] = [];
	await runInDurableObject(env.CHANNEL.get(env.CHANNEL.idFromName(channel)), (channelObject) => {
		Object.assign(channelObject.outside, {
			fetch: async (url: string, init: RequestInit) => {
				received.push({ url, body: String(init.body), headers: new Headers(init.headers) });
				return answer();
			},
			sleep: async () => undefined,
		});
	});
	return received;
}
