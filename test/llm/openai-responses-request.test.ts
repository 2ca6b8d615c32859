import { describe, expect, it } from "vitest";
import { openAiResponsesRequest } from "../../src/llm/openai-responses-request";
import { assistant, result, secondRound, thought, toolCall, user, weather } from "./conversation";

const inputOf = (messages: Parameters<typeof secondRound>[0]) =>
	openAiResponsesRequest(secondRound(messages), "openai-responses").input;

describe("the body of a Responses request", () => {
	it("holds the conversation as items, and asks for nothing to be stored", () => {
		expect(openAiResponsesRequest(secondRound({ temperature: 0.2, maxTokens: 99 }), "openai-responses")).toEqual({
			model: "model-1",
			instructions: "Be brief.",
			input: [
				{ role: "user", content: "Weather?" },
				{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me see." }] },
				{ type: "function_call", call_id: "own-1", name: "weather", arguments: '{"city":"Oslo"}' },
				{ type: "function_call", call_id: "vendor-2", name: "weather", arguments: "{}" },
				{ type: "function_call_output", call_id: "own-1", output: "5 °C" },
				{ type: "function_call_output", call_id: "vendor-2", output: "The arguments are no JSON." },
			],
			tools: [
				{
					type: "function",
					name: "weather",
					description: weather.description,
					parameters: weather.inputSchema,
					strict: false,
				},
			],
			temperature: 0.2,
			max_output_tokens: 99,
			store: false,
			include: ["reasoning.encrypted_content"],
			stream: true,
		});
	});

	it("does not ask for encrypted reasoning where it is refused", () => {
		expect(openAiResponsesRequest(secondRound({ model: "gpt-4o" }), "openai-responses")).not.toHaveProperty("include");
		expect(openAiResponsesRequest(secondRound({ model: "gpt-5.4" }), "openai-responses")).toHaveProperty("include");
	});

	it("puts encrypted reasoning back where it stood, and drops what is not encrypted, nothing follows or another vendor thought", () => {
		const item = (id: string, more: object = { encrypted_content: `opaque-${id}` }) => ({
			item: { type: "reasoning", id, summary: [], ...more },
		});
		const mine = (data: Record<string, unknown>, place = {}) =>
			thought("openai-responses", "openai-responses", data, place);
		const reasoning = [
			mine(item("rs_1", { encrypted_content: "opaque-rs_1", status: "completed" })),
			mine(item("rs_2"), { afterText: true }),
			mine(item("rs_3"), { afterText: true, afterCalls: 1 }),
			mine(item("rs_4"), { afterText: true, afterCalls: 2 }),
			mine(item("rs_5", {})),
			thought("openai-responses", "xai", item("rs_6")),
			mine({ phase: "commentary" }),
		];
		const calls = [toolCall("own-1", "call_a"), toolCall("own-2", "call_b")];
		const messages = [user("?"), assistant({ content: "Wait.", calls, reasoning }), result("own-1"), result("own-2")];
		expect(inputOf({ messages })).toMatchObject([
			{ role: "user" },
			{ type: "reasoning", id: "rs_1", encrypted_content: "opaque-rs_1", summary: [] },
			{ type: "message", phase: "commentary" },
			{ type: "reasoning", id: "rs_2" },
			{ type: "function_call", call_id: "call_a" },
			{ type: "reasoning", id: "rs_3" },
			{ type: "function_call", call_id: "call_b" },
			{ type: "function_call_output", call_id: "call_a" },
			{ type: "function_call_output", call_id: "call_b" },
		]);
		expect(JSON.stringify(inputOf({ messages }))).not.toContain("completed");
	});
});
