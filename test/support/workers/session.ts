import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { TurnView } from "../../../src/agent/view";
import type { SessionObject } from "../../../src/durable/session";
import { uuid7 } from "../../../src/lib/uuid7";
import type { Principal } from "../../../src/shared/principal";
import { call } from "./api";

export const admin: Principal = { id: "admin", name: "admin", role: "admin", permissions: ["*"] };

/** Makes an agent over the API; answers its name. */
export async function makeAgent(profile: Record<string, unknown> = {}): Promise<string> {
	const name = `agent-${uuid7()}`;
	const made = await call("/api/v1/agents", { body: { name, tools: ["*"], ...profile } });
	if (made.status !== 201) throw new Error(made.text);
	return name;
}

/** A session's object and short ways to use it; the object is asked for anew each time, as after an abort it must be. */
export function session(id = `s-${uuid7()}`) {
	const stub = () => env.SESSION.getByName(id);
	return {
		id,
		stub,
		/** How the object reaches the world from now on, until it dies. */
		useFetch: (fetcher: typeof fetch) =>
			runInDurableObject(stub(), (instance: SessionObject) => {
				instance.fetcher = fetcher;
			}),
		async start(agent: string, message: string, turnId = `${id}.${uuid7()}`): Promise<string> {
			const started = await stub().start({ sessionId: id, turnId, agent, message, principal: admin });
			if (!started.ok) throw new Error(started.message);
			return turnId;
		},
		async run(agent: string, message: string): Promise<TurnView> {
			const turnId = await this.start(agent, message);
			return await this.over(turnId);
		},
		async over(turnId: string): Promise<TurnView> {
			const view = await stub().result(turnId, admin);
			if (!view) throw new Error(`No turn ${turnId}.`);
			return view as TurnView;
		},
	};
}

/** Reads a stream of server-sent events to its end, or until `stop` says so. */
export async function readEvents(
	stream: ReadableStream<Uint8Array>,
	stop: (event: SseEvent) => boolean = () => false,
): Promise<SseEvent[]> {
	const events: SseEvent[] = [];
	const decoder = new TextDecoder();
	let text = "";
	for await (const chunk of stream) {
		text += decoder.decode(chunk, { stream: true });
		const blocks = text.split("\n\n");
		text = blocks.pop() ?? "";
		for (const block of blocks) {
			const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
			const type = field("event");
			if (type === undefined) continue;
			const event = { id: Number(field("id")), type, data: JSON.parse(field("data") ?? "{}") };
			events.push(event);
			if (stop(event)) return events;
		}
	}
	return events;
}

export interface SseEvent {
	readonly id: number;
	readonly type: string;
	readonly data: Record<string, unknown>;
}
