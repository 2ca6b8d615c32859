import * as z from "zod";
import { sandboxBackend } from "./runner";
import { reachedHost } from "./runner-network";

/** Why a call was refused or failed; `gate` in the audit row says at which step. */
export const toolErrorCode = z.enum([
	"unknown_tool",
	"not_in_profile",
	"disabled",
	"unavailable",
	"policy_denied",
	"approval_required",
	"invalid_arguments",
	"argument_denied",
	"not_listed",
	"rate_limited",
	"timeout",
	"cancelled",
	"interrupted",
	"outcome_unknown",
	"not_found",
	"conflict",
	"too_large",
	"upstream",
	"delivery_failed",
	"internal",
]);
export type ToolErrorCode = z.output<typeof toolErrorCode>;

/** Facts about a call that are not its answer. */
export const resultMeta = z.object({
	durationMs: z.number().optional(),
	/** True when `content` is not the whole answer; `artifactId` then names the whole. */
	truncated: z.boolean().optional(),
	cached: z.boolean().optional(),
	httpStatus: z.number().optional(),
	artifactId: z.string().optional(),
	/** Whole size of the content in characters when it was cut. */
	totalChars: z.number().optional(),
	/** The refusing step and, for URLs, the exact reason (`host_not_allowed`, …). */
	gate: z.string().optional(),
	reason: z.string().optional(),
	/** The write sandbox's job that holds what the call wrote. */
	jobId: z.string().optional(),
	/** Of a command line. */
	exitCode: z.number().optional(),
	/** What confined the programs that the runner ran for it. */
	sandbox: sandboxBackend.optional(),
	/** The hosts that they asked for, where the policy gives them a network; at most 50. */
	egress: z.array(reachedHost).optional(),
});
export type ResultMeta = z.output<typeof resultMeta>;

/** What every tool call ends in; `content` is what the model reads, `retryable` whether trying again could help. */
export type ToolResult =
	| { success: true; content: string; meta?: ResultMeta }
	| { success: false; code: ToolErrorCode; errorMessage: string; retryable: boolean; meta?: ResultMeta };

/** A failed result in one line. Refusals are not retryable unless said so. */
export const failure = (
	code: ToolErrorCode,
	errorMessage: string,
	{ retryable = false, meta }: { retryable?: boolean; meta?: ResultMeta } = {},
): ToolResult => ({ success: false, code, errorMessage, retryable, ...(meta && { meta }) });

/** A result as the API answers it: every field is there. */
export const toolResultView = z.object({
	success: z.boolean(),
	content: z.string().describe("What the model reads, whether the call succeeded or not."),
	errorMessage: z.string().nullable(),
	code: toolErrorCode.nullable(),
	retryable: z.boolean().describe("Whether the call may succeed when it is corrected or made again."),
	meta: resultMeta,
});
export type ToolResultView = z.output<typeof toolResultView>;

export const viewOfResult = (result: ToolResult): ToolResultView => ({
	success: result.success,
	content: textOf(result),
	errorMessage: result.success ? null : result.errorMessage,
	code: result.success ? null : result.code,
	retryable: !result.success && result.retryable,
	meta: result.meta ?? {},
});

/** The text a model or a client reads for a result, success or not. */
export const textOf = (result: ToolResult): string => (result.success ? result.content : result.errorMessage);
