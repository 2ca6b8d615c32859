import type { ModelMessage, ModelRequest, ModelToolCall, ReasoningPart } from "../../src/llm/provider";

export const user = (content: string): ModelMessage => ({ role: "user", content });

export const toolCall = (id: string, vendorId: string, more: Partial<ModelToolCall> = {}): ModelToolCall => ({
	id,
	vendorId,
	name: "weather",
	arguments: '{"city":"Oslo"}',
	input: { ok: true, value: { city: "Oslo" } },
	...more,
});

interface Said {
	readonly content?: string;
	readonly calls?: readonly ModelToolCall[];
	readonly reasoning?: readonly ReasoningPart[];
}

export const assistant = ({ content = "", calls = [], reasoning = [] }: Said): ModelMessage => ({
	role: "assistant",
	content,
	toolCalls: calls,
	reasoning,
});

export const result = (callId: string, content = "5 °C", isError = false): ModelMessage => ({
	role: "tool",
	callId,
	name: "weather",
	content,
	isError,
});

export const thought = (
	dialect: ReasoningPart["dialect"],
	vendor: string,
	data: Record<string, unknown>,
	{ afterText = false, afterCalls = 0 } = {},
): ReasoningPart => ({ dialect, text: "", raw: { vendor, data, afterText, afterCalls } });

export const weather = {
	name: "weather",
	description: "The weather of a city.",
	inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** A request after one round of two calls, the first of which has no id of its own and the second arguments that do not parse. */
export const secondRound = (more: Partial<ModelRequest> = {}): ModelRequest => ({
	model: "model-1",
	messages: [
		{ role: "system", content: "Be brief." },
		user("Weather?"),
		assistant({
			content: "Let me see.",
			calls: [
				toolCall("own-1", ""),
				toolCall("own-2", "vendor-2", { arguments: "{", input: { ok: false, reason: "invalid_json" } }),
			],
		}),
		result("own-1"),
		result("own-2", "The arguments are no JSON.", true),
	],
	tools: [weather],
	...more,
});
