import type { ModelErrorCode, ModelReply, ModelToolCall } from "../llm/provider";
import type { AgentSettings } from "../shared/agent";
import type { ToolResult } from "../shared/tool-result";

/** Why a turn did not end in an answer. */
export interface TurnError {
	readonly code: ModelErrorCode | TurnErrorCode;
	readonly message: string;
	/** Trying the same message again may help. */
	readonly retryable: boolean;
}

export type TurnErrorCode =
	| "agent_missing"
	| "max_iterations"
	| "token_budget"
	| "time_budget"
	| "recovery_budget"
	| "tool_failed"
	| "empty_answer"
	| "internal";

/** A model step that failed, as the retry rule needs to see it. */
export interface StepFailure extends TurnError {
	/** When the step may be asked again, milliseconds; absent when it may not. */
	readonly retryAt?: number | undefined;
}

/**
 * One entry of a turn's journal. It is stored as `started` before its work begins and as `done` or `failed` with what came of it,
 * so what a crash left behind can be read off: a `started` step has an unknown outcome. A tool that only reads has no
 * `started` entry: the answer that asks for it is in the journal already, and reading again is harmless.
 *
 * | kind, state     | meaning                                                        |
 * | --------------- | -------------------------------------------------------------- |
 * | model, started  | asked, no answer stored: is asked again                        |
 * | model, done     | `reply` is the assistant's message                             |
 * | model, failed   | no answer; asked again at `retryAt`, or the turn fails         |
 * | tool, started   | an effect may have happened: run again only if it cannot double |
 * | tool, done      | `result` is the one result message of `call.id`                |
 */
export type Step = ModelStep | ToolStep;

export interface ModelStep {
	readonly kind: "model";
	/** UUIDv7; the id of its row in `llm_calls`. */
	readonly id: string;
	readonly seq: number;
	readonly state: "started" | "done" | "failed";
	readonly startedAt: number;
	readonly endedAt?: number | undefined;
	/** How often this one answer has been asked for. */
	readonly attempt: number;
	readonly provider?: string | undefined;
	readonly model?: string | undefined;
	readonly reply?: ModelReply | undefined;
	readonly failure?: StepFailure | undefined;
}

export interface ToolStep {
	readonly kind: "tool";
	readonly seq: number;
	readonly state: "started" | "done";
	readonly startedAt: number;
	readonly endedAt?: number | undefined;
	readonly call: ModelToolCall;
	readonly result?: ToolResult | undefined;
}

/** A turn without its steps. */
export interface Turn {
	readonly id: string;
	readonly agent: string;
	readonly message: string;
	readonly status: TurnStatus;
	readonly startedAt: number;
	readonly endedAt?: number | undefined;
	/** Set by a cancel; the turn ends at the next step. */
	readonly cancelled: boolean;
	/** Wakes after a crash since a step last ended. */
	readonly recoveries: number;
	readonly error?: TurnError | undefined;
}

export type TurnStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

export const isOver = (status: TurnStatus) => status === "completed" || status === "failed" || status === "cancelled";

/** The limits of one turn (`settings` of the agent's profile). */
export type TurnLimits = Pick<AgentSettings, "max_iterations" | "max_tokens" | "max_seconds"> & {
	readonly on_nonretryable: "surface" | "feed_back";
};

/** Tokens of all answers of a turn. */
export function usageOf(steps: readonly Step[]): { inputTokens: number; outputTokens: number } {
	let inputTokens = 0;
	let outputTokens = 0;
	for (const step of steps) {
		if (step.kind !== "model") continue;
		inputTokens += step.reply?.usage?.inputTokens ?? 0;
		outputTokens += step.reply?.usage?.outputTokens ?? 0;
	}
	return { inputTokens, outputTokens };
}

/** The answers asked for so far; a repeat of a failed or interrupted one does not count. */
export const iterationsOf = (steps: readonly Step[]) =>
	steps.filter((step) => step.kind === "model" && step.state === "done").length;
