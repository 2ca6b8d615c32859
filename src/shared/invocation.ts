import * as z from "zod";

/** One tool call as the audit keeps it, redacted. */
export const invocationView = z.object({
	id: z.string(),
	sessionId: z.string().nullable(),
	turnId: z.string().nullable(),
	agent: z.string().nullable(),
	principal: z.string(),
	toolName: z.string(),
	inputJson: z.string(),
	resultJson: z.string().nullable(),
	success: z.boolean().nullable().describe("Null while the call is under way."),
	code: z.string().nullable(),
	gate: z.string().nullable().describe("The step that refused."),
	errorMessage: z.string().nullable(),
	durationMs: z.number().nullable(),
	argumentDigest: z.string(),
	createdAt: z.date(),
});

/** One call of a language model. */
export const llmCallView = z.object({
	id: z.string(),
	sessionId: z.string().nullable(),
	turnId: z.string().nullable(),
	agent: z.string(),
	provider: z.string(),
	model: z.string(),
	inputTokens: z.number().nullable(),
	outputTokens: z.number().nullable(),
	cachedInputTokens: z.number().nullable(),
	reasoningTokens: z.number().nullable(),
	finishReason: z.string().nullable(),
	success: z.boolean(),
	code: z.string().nullable(),
	errorMessage: z.string().nullable(),
	attempts: z.number(),
	durationMs: z.number(),
	createdAt: z.date(),
});
