import * as z from "zod";
import { turnStatus } from "./turn";

/** A session in a list. */
export const sessionSummary = z.object({
	id: z.string(),
	agent: z.string(),
	principal: z.string(),
	title: z.string().describe("The beginning of its first message."),
	turns: z.number(),
	createdAt: z.date(),
	updatedAt: z.date(),
});

export const sessionView = z.object({
	id: z.string(),
	agent: z.string(),
	principal: z.string(),
	title: z.string(),
	turns: z.number(),
	status: z.enum(["idle", "running"]),
	turnIds: z.array(z.string()).describe("The last 50, oldest first."),
	createdAt: z.string(),
});

const message = z.discriminatedUnion("role", [
	z.object({ role: z.literal("user"), content: z.string() }),
	z.object({
		role: z.literal("assistant"),
		content: z.string(),
		toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
	}),
	z.object({
		role: z.literal("tool"),
		callId: z.string(),
		name: z.string(),
		content: z.string(),
		isError: z.boolean(),
	}),
]);
export type SessionMessage = z.output<typeof message>;

/** The conversation by turns, oldest first; every call of an answer has exactly one result. */
export const sessionMessages = z.object({
	items: z.array(z.object({ turnId: z.string(), status: turnStatus, messages: z.array(message) })),
	nextCursor: z.string().nullable(),
});
