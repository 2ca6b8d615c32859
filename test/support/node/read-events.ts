import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Home } from "./oryx-process";

export interface ReadEvent {
	readonly id: number;
	readonly type: string;
	readonly data: Readonly<Record<string, unknown>>;
}

/** Posts, and reads the answer as server-sent events to its end. */
export async function readEvents({ address, token }: Home, path: string, body: unknown): Promise<ReadEvent[]> {
	const response = await fetch(`${address}/api/v1${path}`, {
		method: "POST",
		headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Accept: "text/event-stream" },
		body: JSON.stringify(body),
	});
	if (!response.ok || !response.body) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	const events: ReadEvent[] = [];
	const stream = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
	for await (const { id, event, data } of stream) {
		events.push({ id: Number(id), type: event ?? "message", data: JSON.parse(data) });
	}
	return events;
}
