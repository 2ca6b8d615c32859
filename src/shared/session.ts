import * as z from "zod";

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

const turnId = z.string();

/** One message of a conversation. Every call of an answer has exactly one `tool` message, once it has ended. */
export const sessionMessage = z.discriminatedUnion("role", [
	z.object({ turnId, role: z.literal("user"), content: z.string() }),
	z.object({
		turnId,
		role: z.literal("assistant"),
		content: z.string(),
		toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
	}),
	z.object({
		turnId,
		role: z.literal("tool"),
		callId: z.string(),
		name: z.string(),
		content: z.string(),
		isError: z.boolean(),
	}),
]);
export type SessionMessage = z.output<typeof sessionMessage>;
