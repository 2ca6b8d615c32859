import type { ModelToolCall } from "../llm/provider";
import {
	iterationsOf,
	type ModelStep,
	type Step,
	type ToolStep,
	type Turn,
	type TurnError,
	type TurnLimits,
	usageOf,
} from "./journal";

/**
 * What the turn does next.
 *
 * | type   | meaning                                                                          |
 * | ------ | -------------------------------------------------------------------------------- |
 * | model  | ask the model; `again` is the step to ask once more, `attempt` counts from 1     |
 * | tool   | run one call; `again` is the step that a crash left behind                       |
 * | wait   | nothing to do before `until` (milliseconds)                                      |
 * | close  | store a result for calls that will not run, so that the history stays valid      |
 * | end    | the turn is over                                                                 |
 */
export type Move =
	| { type: "model"; attempt: number; again?: ModelStep }
	| { type: "tool"; call: ModelToolCall; again?: ToolStep }
	| { type: "wait"; until: number }
	| { type: "close"; calls: readonly ModelToolCall[]; because: TurnError | "cancelled" }
	| { type: "end"; status: "completed" }
	| { type: "end"; status: "cancelled" }
	| { type: "end"; status: "failed"; error: TurnError };

/** Wakes after a crash, without a step ending in between, before a turn is given up: a crash loop must not bill a model for ever. */
export const maxRecoveries = 12;

/** Reads off the journal what to do next; the same journal always gives the same move. */
export function nextMove(turn: Turn, steps: readonly Step[], limits: TurnLimits, now: number): Move {
	const last = lastModelStep(steps);
	const open = openCalls(steps);
	const stop = turn.cancelled ? "cancelled" : overLimit(turn, steps, limits, now);
	if (stop)
		return open.length > 0 ? { type: "close", calls: open.map(({ call }) => call), because: stop } : endWith(stop);

	if (!last) return { type: "model", attempt: 1 };
	if (last.state === "started") return { type: "model", attempt: last.attempt, again: last };
	if (last.state === "failed") return afterFailure(last, now);

	const next = open[0];
	if (next) return { type: "tool", call: next.call, ...(next.step && { again: next.step }) };

	const calls = last.reply?.toolCalls ?? [];
	if (calls.length === 0) return afterAnswer(last);
	const failed = limits.on_nonretryable === "surface" ? nonRetryable(calls, steps) : undefined;
	return failed ? { type: "end", status: "failed", error: failed } : { type: "model", attempt: 1 };
}

function lastModelStep(steps: readonly Step[]): ModelStep | undefined {
	return steps.findLast((step): step is ModelStep => step.kind === "model");
}

/** Calls of the last answer without a stored result, in the order the model asked for them, with what a crash left of each. */
export function openCalls(steps: readonly Step[]): { call: ModelToolCall; step: ToolStep | undefined }[] {
	const calls = lastModelStep(steps)?.reply?.toolCalls ?? [];
	const byCall = new Map<string, ToolStep>();
	for (const step of steps) if (step.kind === "tool") byCall.set(step.call.id, step);
	return calls.map((call) => ({ call, step: byCall.get(call.id) })).filter(({ step }) => step?.state !== "done");
}

function overLimit(turn: Turn, steps: readonly Step[], limits: TurnLimits, now: number): TurnError | undefined {
	const wantsTools = (lastModelStep(steps)?.reply?.toolCalls.length ?? 0) > 0;
	if (wantsTools && iterationsOf(steps) >= limits.max_iterations) {
		return refuse(
			"max_iterations",
			`The turn reached its limit of ${limits.max_iterations} model answers. Raise settings.max_iterations of the agent, or ask for less at once.`,
		);
	}
	const { inputTokens, outputTokens } = usageOf(steps);
	if (wantsTools && inputTokens + outputTokens >= limits.max_tokens) {
		return refuse("token_budget", `The turn used ${inputTokens + outputTokens} tokens of its ${limits.max_tokens}.`);
	}
	if (now - turn.startedAt >= limits.max_seconds * 1000 && !hasAnswer(steps)) {
		return refuse("time_budget", `The turn ran for its whole budget of ${limits.max_seconds} seconds.`);
	}
	return undefined;
}

/** Why a turn is given up after too many wakes; it is so whatever its journal says. */
export const givenUp = (turn: Turn): TurnError => ({
	code: "recovery_budget",
	message: `The turn was interrupted ${turn.recoveries} times in a row without getting on.`,
	retryable: true,
});

const refuse = (code: TurnError["code"], message: string): TurnError => ({ code, message, retryable: false });

function hasAnswer(steps: readonly Step[]): boolean {
	const last = lastModelStep(steps);
	return last?.state === "done" && last.reply?.toolCalls.length === 0;
}

const endWith = (stop: TurnError | "cancelled"): Move =>
	stop === "cancelled" ? { type: "end", status: "cancelled" } : { type: "end", status: "failed", error: stop };

function afterFailure(step: ModelStep, now: number): Move {
	const failure = step.failure;
	if (failure?.retryAt === undefined) {
		return { type: "end", status: "failed", error: failure ?? refuse("internal", "The model step failed.") };
	}
	if (failure.retryAt > now) return { type: "wait", until: failure.retryAt };
	return { type: "model", attempt: step.attempt + 1, again: step };
}

function afterAnswer(step: ModelStep): Move {
	const reply = step.reply;
	if (reply && (reply.content.trim() !== "" || reply.finishReason === "content-filter")) {
		return { type: "end", status: "completed" };
	}
	return {
		type: "end",
		status: "failed",
		error: {
			code: "empty_answer",
			message: "The model answered with nothing. Try again, or choose another model.",
			retryable: true,
		},
	};
}

/** The first result of this answer's calls that no retry can mend (X3). */
function nonRetryable(calls: readonly ModelToolCall[], steps: readonly Step[]): TurnError | undefined {
	const ids = new Set(calls.map((call) => call.id));
	for (const step of steps) {
		if (step.kind !== "tool" || !ids.has(step.call.id) || !step.result || step.result.success) continue;
		if (step.result.retryable) continue;
		return { code: "tool_failed", message: `${step.call.name}: ${step.result.errorMessage}`, retryable: false };
	}
	return undefined;
}
