import * as z from "zod";
import { sessionIdSchema } from "./names";
import { toolResultView } from "./tool-result";

/** A message to an agent. */
export const newTurn = z.strictObject({
	message: z.string().min(1).max(64_000).describe("What the agent is asked."),
	sessionId: sessionIdSchema
		.optional()
		.describe("Goes on with a session, or begins one of this name; absent begins a new one."),
	interactive: z.boolean().optional().describe("Whether a person is there to answer questions."),
	attachments: z
		.array(z.unknown())
		.max(0, "Attachments cannot be taken yet; put the text into the message.")
		.optional(),
});

export const turnStatus = z.enum(["queued", "running", "completed", "failed", "cancelled"]);

/** The state of one turn; a `waiting` one says for what. */
export const turnView = z.object({
	turnId: z.string(),
	sessionId: z.string(),
	agent: z.string(),
	status: z.enum([...turnStatus.options, "waiting"]),
	answer: z.string(),
	toolCalls: z.array(
		z.object({
			id: z.string(),
			name: z.string(),
			arguments: z.unknown(),
			result: toolResultView.nullable().describe("Null while the call is under way."),
		}),
	),
	usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
	iterations: z.number(),
	finishReason: z.string().nullable().describe("`length` means that the answer is cut."),
	error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
	waitingFor: z
		.object({ type: z.literal("retry"), until: z.string(), reason: z.string() })
		.optional()
		.describe("The model is asked again at that time; the turn goes on by itself."),
	jobId: z
		.string()
		.optional()
		.describe(
			"The job that holds what the turn changed, where its agent's changes are staged; commit it or roll it back.",
		),
	startedAt: z.string(),
	endedAt: z.string().nullable(),
});

/** What an asynchronous request is answered at once. */
export const turnStarted = z.object({ turnId: z.string(), sessionId: z.string(), status: turnStatus });
