import type { ModelMessage } from "../llm/provider";
import { failure, textOf } from "../shared/tool-result";
import type { Step, Turn } from "./journal";

/** A turn with its steps, in order. */
export interface RecordedTurn {
	readonly turn: Turn;
	readonly steps: readonly Step[];
}

/**
 * The conversation so far as a model reads it: the last `maxTurns` turns before the current one, and the current one so far.
 * Every call of an answer is followed by exactly one result, in the order of the calls.
 */
export function historyOf(turns: readonly RecordedTurn[], maxTurns: number): ModelMessage[] {
	return turns.slice(-(maxTurns + 1)).flatMap(messagesOf);
}

export function messagesOf({ turn, steps }: RecordedTurn): ModelMessage[] {
	const results = new Map(
		steps.flatMap((step) => (step.kind === "tool" && step.result ? [[step.call.id, step.result]] : [])),
	);
	const messages: ModelMessage[] = [{ role: "user", content: turn.message }];
	for (const step of steps) {
		if (step.kind !== "model" || !step.reply) continue;
		const { content, toolCalls, reasoning } = step.reply;
		messages.push({ role: "assistant", content, toolCalls, reasoning });
		for (const call of toolCalls) {
			const result = results.get(call.id) ?? interrupted;
			messages.push({
				role: "tool",
				callId: call.id,
				name: call.name,
				content: textOf(result),
				isError: !result.success,
			});
		}
	}
	return messages;
}

/** Stands where a turn was given up before its calls had results. */
const interrupted = failure("interrupted", "interrupted: the outcome is unknown.");
