import * as z from "zod";

/** What clients of a session see, in the order of its numbers. */
export const sessionEventType = z.enum([
	"turn-start",
	"text-delta",
	"reasoning-delta",
	/** The text since the last tool result or turn start is void: the answer is being asked for again. */
	"text-reset",
	"tool-call",
	"tool-result",
	"turn-wait",
	"turn-end",
]);
export type SessionEventType = z.output<typeof sessionEventType>;

/** An event before it has a number. */
export interface NewEvent {
	readonly type: SessionEventType;
	readonly data: Readonly<Record<string, unknown>>;
}

export interface SessionEvent extends NewEvent {
	/** Counts from 1 in a session; a client resumes after a number. */
	readonly seq: number;
	readonly turnId: string;
}

/** One event in the event-stream format (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const toServerSentEvent = ({ seq, turnId, type, data }: SessionEvent): string =>
	`id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ turnId, ...data })}\n\n`;
