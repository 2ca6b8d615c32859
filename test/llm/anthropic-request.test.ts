import { describe, expect, it } from "vitest";
import { anthropicRequest } from "../../src/llm/anthropic-request";
import type { ModelMessage } from "../../src/llm/provider";
import { assistant, result, secondRound, thought, toolCall, user, weather } from "./conversation";

const cache = { cache_control: { type: "ephemeral" } };
const messagesOf = (messages: readonly ModelMessage[]) =>
	anthropicRequest(secondRound({ messages }), "anthropic").messages;

describe("the body of a request to Anthropic", () => {
	it("holds the conversation, all results of an answer in one message, and marks for the prompt cache", () => {
		const request = secondRound({ temperature: 1.5 });
		expect(anthropicRequest({ ...request, messages: [...request.messages, user("And Bergen?")] }, "anthropic")).toEqual(
			{
				model: "model-1",
				max_tokens: 16_384,
				system: [{ type: "text", text: "Be brief.", ...cache }],
				messages: [
					{ role: "user", content: [{ type: "text", text: "Weather?" }] },
					{
						role: "assistant",
						content: [
							{ type: "text", text: "Let me see." },
							{ type: "tool_use", id: "own-1", name: "weather", input: { city: "Oslo" } },
							{ type: "tool_use", id: "vendor-2", name: "weather", input: {} },
						],
					},
					{
						role: "user",
						content: [
							{ type: "tool_result", tool_use_id: "own-1", content: "5 °C" },
							{ type: "tool_result", tool_use_id: "vendor-2", content: "The arguments are no JSON.", is_error: true },
							{ type: "text", text: "And Bergen?", ...cache },
						],
					},
				],
				tools: [{ name: "weather", description: weather.description, input_schema: weather.inputSchema }],
				temperature: 1,
				stream: true,
			},
		);
	});

	it("puts thinking back unchanged before the calls, and leaves out what has no signature or is another's", () => {
		const signed = { type: "thinking", thinking: "Ask.", signature: "sig" };
		const redacted = { type: "redacted_thinking", data: "opaque" };
		const reasoning = [
			thought("anthropic", "anthropic", signed),
			thought("anthropic", "anthropic", redacted),
			thought("anthropic", "anthropic", { type: "thinking", thinking: "Cut", signature: "" }),
			thought("anthropic", "minimax", signed),
			thought("openai-chat", "deepseek", { reasoning_content: "Hm." }),
		];
		const call = toolCall("own-1", "toolu_1");
		expect(
			messagesOf([user("?"), assistant({ content: "Wait.", calls: [call], reasoning }), result("own-1")]),
		).toMatchObject([
			{},
			{ content: [signed, redacted, { type: "text", text: "Wait." }, { type: "tool_use", id: "toolu_1" }] },
			{},
		]);
		const [, sent] = messagesOf([user("?"), assistant({ calls: [call], reasoning }), result("own-1")]) as {
			content: unknown[];
		}[];
		expect(sent?.content).toHaveLength(3);
	});

	it("never sends a text after a call, an id that is refused, or an empty text", () => {
		const calls = [toolCall("own-1", "functions.weather:0")];
		expect(
			messagesOf([
				user(""),
				assistant({ content: " ", calls }),
				assistant({ content: "I will check." }),
				result("own-1"),
			]),
		).toMatchObject([
			{ role: "user", content: [{ type: "text", text: "(empty)" }] },
			{ role: "assistant", content: [{ type: "tool_use", id: "own-1" }] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: "own-1" }] },
			{ role: "assistant", content: [{ type: "text", text: "I will check." }] },
			{ role: "user", content: [{ type: "text", text: "Go on." }] },
		]);
	});
});
