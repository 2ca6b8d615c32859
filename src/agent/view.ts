import { type ToolResultView, viewOfResult } from "../shared/tool-result";
import { isOver, iterationsOf, type ModelStep, type Step, type Turn, type TurnError, usageOf } from "./journal";

/** A turn as the API answers it. */
export interface TurnView {
	readonly turnId: string;
	readonly sessionId: string;
	readonly agent: string;
	readonly status: Turn["status"] | "waiting";
	readonly answer: string;
	readonly toolCalls: readonly { id: string; name: string; arguments: unknown; result: ToolResultView | null }[];
	readonly usage: { inputTokens: number; outputTokens: number };
	readonly iterations: number;
	/** Why the last answer ended; `length` means that the answer is cut. */
	readonly finishReason: string | null;
	readonly error?: TurnError;
	/** What a `waiting` turn waits for before it asks the model again. */
	readonly waitingFor?: { type: "retry"; until: string; reason: string };
	/** The job that holds the turn's staged changes. */
	readonly jobId?: string;
	readonly startedAt: string;
	readonly endedAt: string | null;
}

export function viewOf(sessionId: string, turn: Turn, steps: readonly Step[]): TurnView {
	const last = steps.findLast((step): step is ModelStep => step.kind === "model");
	const jobId = jobOf(steps);
	const retryAt = isOver(turn.status) ? undefined : last?.failure?.retryAt;
	return {
		turnId: turn.id,
		sessionId,
		agent: turn.agent,
		status: retryAt === undefined ? turn.status : "waiting",
		answer: last?.reply && last.reply.toolCalls.length === 0 ? last.reply.content : "",
		toolCalls: toolCallsOf(steps),
		usage: usageOf(steps),
		iterations: iterationsOf(steps),
		finishReason: last?.reply?.finishReason ?? null,
		...(turn.error && { error: turn.error }),
		...(retryAt !== undefined && {
			waitingFor: { type: "retry", until: new Date(retryAt).toISOString(), reason: last?.failure?.message ?? "" },
		}),
		...(jobId !== undefined && { jobId }),
		startedAt: new Date(turn.startedAt).toISOString(),
		endedAt: turn.endedAt === undefined ? null : new Date(turn.endedAt).toISOString(),
	};
}

const jobOf = (steps: readonly Step[]): string | undefined =>
	steps
		.map((step) => (step.kind === "tool" ? step.result?.meta?.jobId : undefined))
		.findLast((jobId) => jobId !== undefined);

function toolCallsOf(steps: readonly Step[]): TurnView["toolCalls"] {
	const results = new Map(
		steps.flatMap((step) => (step.kind === "tool" && step.result ? [[step.call.id, viewOfResult(step.result)]] : [])),
	);
	return steps.flatMap((step) =>
		step.kind === "model"
			? (step.reply?.toolCalls ?? []).map((call) => ({
					id: call.id,
					name: call.name,
					arguments: call.input.ok ? call.input.value : call.arguments,
					result: results.get(call.id) ?? null,
				}))
			: [],
	);
}
