import { isOver, type ModelStep, type Step } from "../agent/journal";
import type { Db } from "../db/client";
import { insertLlmCalls, type LlmCall } from "../db/llm-calls";
import type { Invocation as InvocationRow } from "../db/tool-invocations";
import { insertInvocations } from "../db/write-invocations";
import type { Invocation } from "../tools/call";
import type { SessionStore, StoredTurn } from "./session-store";

/**
 * Writes what a turn owes to D1 and remembers how far it came. Rows have ids of their own, so a flush that is
 * repeated after a crash changes nothing. Throws when D1 does not take them; then everything is still owed.
 */
export async function flushTurn(db: Db, store: SessionStore, sessionId: string, turn: StoredTurn): Promise<void> {
	const steps = finalSteps(store.steps(turn.id), turn);
	const upTo = steps.at(-1)?.seq ?? turn.flushedSeq;
	const calls = steps.flatMap((step) => (step.kind === "model" ? [llmCallOf(sessionId, turn, step)] : []));
	const audits = store.audits(turn.id, turn.flushedSeq).map((audit) => toRow(audit, rowOwner(sessionId, turn)));
	await Promise.all([insertLlmCalls(db, calls), insertInvocations(db, audits)]);
	store.setFlushed(turn.id, upTo, isOver(turn.status));
}

/** Steps not yet flushed up to the first that may still change. */
function finalSteps(steps: readonly Step[], turn: StoredTurn): Step[] {
	const owed = steps.filter(({ seq }) => seq > turn.flushedSeq);
	if (isOver(turn.status)) return owed;
	const open = owed.findIndex((step) => step.state !== "done");
	return open < 0 ? owed : owed.slice(0, open);
}

export interface RowOwner {
	readonly sessionId: string | null;
	readonly turnId: string | null;
	readonly agent: string;
	readonly principal: string;
}

const rowOwner = (sessionId: string, turn: StoredTurn): RowOwner => ({
	sessionId,
	turnId: turn.id,
	agent: turn.agent,
	principal: turn.principal.id,
});

/** An audit row as D1 stores it. */
export const toRow = (invocation: Invocation, owner: RowOwner): InvocationRow => ({
	...owner,
	id: invocation.id,
	toolName: invocation.toolName,
	inputJson: invocation.inputJson,
	argumentDigest: invocation.argumentDigest,
	createdAt: invocation.createdAt,
	success: invocation.success ?? null,
	resultJson: invocation.resultJson ?? null,
	errorMessage: invocation.errorMessage ?? null,
	code: invocation.code ?? null,
	gate: invocation.gate ?? null,
	durationMs: invocation.durationMs ?? null,
});

const llmCallOf = (sessionId: string, turn: StoredTurn, step: ModelStep): LlmCall => ({
	id: step.id,
	sessionId,
	turnId: turn.id,
	agent: turn.agent,
	provider: step.provider ?? "unknown",
	model: step.reply?.model ?? step.model ?? "unknown",
	inputTokens: step.reply?.usage?.inputTokens ?? null,
	outputTokens: step.reply?.usage?.outputTokens ?? null,
	cachedInputTokens: step.reply?.usage?.cachedInputTokens ?? null,
	reasoningTokens: step.reply?.usage?.reasoningTokens ?? null,
	finishReason: step.reply?.finishReason ?? null,
	success: step.state === "done",
	code: step.failure?.code ?? (step.state === "started" ? "interrupted" : null),
	errorMessage: step.failure?.message ?? null,
	attempts: step.attempt,
	durationMs: (step.endedAt ?? step.startedAt) - step.startedAt,
	createdAt: new Date(step.startedAt),
});
