import { describe, expect, it } from "vitest";
import { openAiChatRequest } from "../../src/llm/openai-chat-request";
import { presets } from "../../src/llm/presets";
import type { ModelMessage, ModelRequest } from "../../src/llm/provider";
import { assistant, result, secondRound, thought, toolCall, user, weather } from "./conversation";

const bodyOf = (vendor: string, request: ModelRequest) =>
	openAiChatRequest(request, { vendor, quirks: presets[vendor]?.quirks ?? {} });
const messagesOf = (vendor: string, messages: readonly ModelMessage[], model = "model-1") =>
	bodyOf(vendor, { model, messages, tools: [] }).messages;

describe("the body of a chat completion", () => {
	it("holds the conversation, with the vendor's ids where it gave some and valid arguments throughout", () => {
		expect(bodyOf("groq", secondRound({ temperature: 0.2, maxTokens: 99 }))).toEqual({
			model: "model-1",
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "Weather?" },
				{
					role: "assistant",
					content: "Let me see.",
					tool_calls: [
						{ id: "own-1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
						{ id: "vendor-2", type: "function", function: { name: "weather", arguments: "{}" } },
					],
				},
				{ role: "tool", tool_call_id: "own-1", content: "5 °C" },
				{ role: "tool", tool_call_id: "vendor-2", content: "The arguments are no JSON." },
			],
			tools: [
				{
					type: "function",
					function: { name: "weather", description: weather.description, parameters: weather.inputSchema },
				},
			],
			temperature: 0.2,
			max_tokens: 99,
			stream: true,
			stream_options: { include_usage: true },
		});
	});

	it("leaves out what is not set, and has the field for the limit that OpenAI takes", () => {
		const request = { model: "gpt-1", messages: [user("Hi")], tools: [], maxTokens: 5 };
		expect(bodyOf("openai", request)).toEqual({
			model: "gpt-1",
			messages: [{ role: "user", content: "Hi" }],
			max_completion_tokens: 5,
			stream: true,
			stream_options: { include_usage: true },
		});
	});

	it("sends a vendor's id once only, and no longer than OpenAI takes", () => {
		const calls = [toolCall("own-1", "same"), toolCall("own-2", "same"), toolCall("own-3", "x".repeat(41))];
		const messages = messagesOf("openai", [user("?"), assistant({ calls }), ...calls.map(({ id }) => result(id))]);
		expect(messages).toMatchObject([
			{},
			{ content: null, tool_calls: [{ id: "same" }, { id: "own-2" }, { id: "own-3" }] },
			{ tool_call_id: "same" },
			{ tool_call_id: "own-2" },
			{ tool_call_id: "own-3" },
		]);
	});

	it("gives back a name that no vendor would take in a form that all take", () => {
		const calls = [toolCall("own-1", "a", { name: "файл.read me" }), toolCall("own-2", "b", { name: "" })];
		const messages = messagesOf("openai", [user("?"), assistant({ calls })]);
		expect(messages).toMatchObject([
			{},
			{ tool_calls: [{ function: { name: "_____read_me" } }, { function: { name: "unnamed_tool" } }] },
			{},
			{},
		]);
	});
});

describe("Mistral", () => {
	it("gets ids of nine letters and digits, names with results, and an answer between a result and the user", () => {
		const calls = [toolCall("own-1", "qDEcl0n92"), toolCall("own-2", "call_of_openai")];
		const history = [user("?"), assistant({ calls }), result("own-1"), result("own-2"), user("Go on.")];
		const messages = messagesOf("mistral", history) as { tool_call_id?: string }[];
		expect(messages).toMatchObject([
			{ role: "user" },
			{
				role: "assistant",
				content: "",
				tool_calls: [{ id: "qDEcl0n92" }, { id: expect.stringMatching(/^[A-Za-z0-9]{9}$/) }],
			},
			{ role: "tool", name: "weather", tool_call_id: "qDEcl0n92" },
			{ role: "tool", name: "weather" },
			{ role: "assistant", content: "(No answer was given.)" },
			{ role: "user", content: "Go on." },
		]);
		expect(messagesOf("mistral", history)).toEqual(messages);
		expect(bodyOf("mistral", { model: "m", messages: history, tools: [] })).not.toHaveProperty("stream_options");
	});
});

describe("thinking", () => {
	const thinking = (vendor: string, data: Record<string, unknown>) => [thought("openai-chat", vendor, data)];

	it("goes back to DeepSeek with every call, empty where another model called, and not with text", () => {
		const messages = messagesOf("deepseek", [
			user("?"),
			assistant({ calls: [toolCall("own-1", "a")], reasoning: thinking("deepseek", { reasoning_content: "Ask." }) }),
			result("own-1"),
			assistant({ calls: [toolCall("own-2", "b")], reasoning: thinking("openrouter", { reasoning_content: "Hm." }) }),
			result("own-2"),
			assistant({ content: "5 °C.", reasoning: thinking("deepseek", { reasoning_content: "Done." }) }),
			user("Thanks."),
		]) as Record<string, unknown>[];
		expect(messages[1]).toMatchObject({ content: "", reasoning_content: "Ask." });
		expect(messages[3]).toMatchObject({ reasoning_content: "" });
		expect(messages[5]).toEqual({ role: "assistant", content: "5 °C." });
	});

	it("goes back to OpenRouter as the details that came, and to nobody else", () => {
		const details = [{ type: "reasoning.encrypted", data: "opaque", index: 0 }];
		const history = [
			user("?"),
			assistant({
				calls: [toolCall("own-1", "a")],
				reasoning: thinking("openrouter", { reasoning: "Hm.", reasoning_details: details }),
			}),
			result("own-1"),
		];
		expect(messagesOf("openrouter", history)).toMatchObject([{}, { reasoning_details: details }, {}]);
		expect(JSON.stringify(messagesOf("groq", history))).not.toContain("opaque");
	});

	it("goes back to Gemini as signatures on calls and messages; a newer model gets the documented stand-in for none", () => {
		const signed = { extra_content: { google: { thought_signature: "sig" } } };
		const history = [
			user("?"),
			assistant({ calls: [toolCall("own-1", "", { extra: signed }), toolCall("own-2", "")] }),
		];
		expect(messagesOf("gemini", history)).toMatchObject([
			{},
			{ tool_calls: [{ id: "own-1", ...signed }, { id: "own-2" }] },
			{},
			{},
		]);

		const unsigned = [user("?"), assistant({ calls: [toolCall("own-1", ""), toolCall("own-2", "")] })];
		const standIn = { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } };
		const [, sent] = messagesOf("gemini", unsigned, "gemini-3-pro") as { tool_calls: unknown[] }[];
		expect(sent?.tool_calls[0]).toMatchObject(standIn);
		expect(sent?.tool_calls[1]).not.toHaveProperty("extra_content");
		expect(JSON.stringify(messagesOf("gemini", unsigned, "gemini-2.5-pro"))).not.toContain("skip_");

		const onMessage = [user("?"), assistant({ calls: [toolCall("own-1", "")], reasoning: thinking("gemini", signed) })];
		const [, message] = messagesOf("gemini", onMessage, "gemini-3-pro") as { tool_calls: unknown[] }[];
		expect(message).toMatchObject(signed);
		expect(message?.tool_calls[0]).not.toHaveProperty("extra_content");
	});
});
