import { isRecord, type Json } from "./json";
import type { ModelMessage, ModelToolCall } from "./provider";

/** What of its answer had come before a piece of thinking. */
export interface Place {
	readonly afterText: boolean;
	readonly afterCalls: number;
}

/** What stands in `ReasoningPart.raw`: the vendor's own form, and where in the answer it stood. */
export interface RawReasoning extends Place {
	/** Only the vendor that thought it can read it. */
	readonly vendor: string;
	readonly data: Json;
}

export const rawReasoning = (vendor: string, data: Json, { afterText, afterCalls }: Place): RawReasoning => ({
	vendor,
	data,
	afterText,
	afterCalls,
});

export type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

/** The thinking in a message that came from this vendor, in order. */
export function reasoningFrom(vendor: string, message: AssistantMessage): RawReasoning[] {
	return message.reasoning.flatMap(({ raw }) => (isRawReasoning(raw) && raw.vendor === vendor ? [raw] : []));
}

function isRawReasoning(raw: unknown): raw is RawReasoning {
	return isRecord(raw) && typeof raw.vendor === "string" && isRecord(raw.data) && typeof raw.afterCalls === "number";
}

export type AssistantPart =
	| { readonly type: "reasoning"; readonly data: Json }
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "call"; readonly call: ModelToolCall };

/**
 * A message as its parts, in the order of their making, text before calls.
 * Thinking that nothing follows is left out: both Anthropic and OpenAI refuse a message that ends in it.
 */
export function partsInOrder(message: AssistantMessage, reasoning: readonly RawReasoning[]): AssistantPart[] {
	const thoughts = (isThere: (place: Place) => boolean): AssistantPart[] =>
		reasoning.filter(isThere).map(({ data }) => ({ type: "reasoning", data }));
	const parts: AssistantPart[] = thoughts((place) => place.afterCalls === 0 && !place.afterText);
	if (message.content.trim() !== "") parts.push({ type: "text", text: message.content });
	parts.push(...thoughts((place) => place.afterCalls === 0 && place.afterText));
	message.toolCalls.forEach((call, index) => {
		parts.push({ type: "call", call }, ...thoughts((place) => place.afterCalls === index + 1));
	});
	return parts.slice(0, parts.findLastIndex((part) => part.type !== "reasoning") + 1);
}
