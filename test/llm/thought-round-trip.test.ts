import { expect, it } from "vitest";
import { anthropicAnswers, responsesAnswers } from "../fixtures/llm/named-answers";
import { callDelta, delta, end, sse } from "../fixtures/llm/stream-text";
import { assistant, result, user, weather } from "./conversation";
import { providerOf, type Recording } from "./play";

/** Plays an answer with a call, and returns the body of the request that brings the results. */
async function nextBody(recording: Recording): Promise<Record<string, unknown>> {
	const bodies: string[] = [];
	const provider = await providerOf(recording, Number.POSITIVE_INFINITY, (body) => bodies.push(body));
	const messages = [user("Time?")];
	for (let round = 0; round < 2; round++) {
		const request = { model: "model-1", messages, tools: [weather] };
		for await (const event of provider.chat(request, new AbortController().signal)) {
			if (event.type !== "finish") continue;
			// A journal keeps replies as JSON.
			const { content, toolCalls, reasoning } = JSON.parse(JSON.stringify(event.reply));
			messages.push(
				assistant({ content, calls: toolCalls, reasoning }),
				...toolCalls.map(({ id }: { id: string }) => result(id)),
			);
		}
	}
	return JSON.parse(bodies[1] ?? "{}");
}

it("gives Anthropic its signed thinking back, before text and calls", async () => {
	const body = await nextBody(
		anthropicAnswers["thinking, text and two calls, one of them without arguments"] ?? { preset: "" },
	);
	expect(body.messages).toMatchObject([
		{ role: "user" },
		{
			role: "assistant",
			content: [
				{ type: "thinking", thinking: "Which zone?", signature: "sig" },
				{ type: "text", text: "Let me see." },
				{ type: "tool_use", id: "toolu_1", name: "now", input: {} },
				{ type: "tool_use", id: "toolu_2", name: "weather", input: { city: "Oslo" } },
			],
		},
		{ role: "user", content: [{ tool_use_id: "toolu_1" }, { tool_use_id: "toolu_2" }] },
	]);
});

it("gives the Responses API its encrypted reasoning and the phase of its remark back", async () => {
	const body = await nextBody(responsesAnswers["thinking, a remark, a call"] ?? { preset: "" });
	expect(body.input).toMatchObject([
		{ role: "user" },
		{ type: "reasoning", id: "rs_1", encrypted_content: "opaque", summary: [{ type: "summary_text", text: "Ask." }] },
		{ type: "message", phase: "commentary", content: [{ text: "One moment." }] },
		{ type: "function_call", call_id: "call_a", name: "now", arguments: '{"zone":"UTC"}' },
		{ type: "function_call_output", call_id: "call_a", output: "5 °C" },
	]);
});

it("gives OpenRouter its details back, the pieces of each joined", async () => {
	const details = (...list: object[]) => delta({ reasoning: "…", reasoning_details: list });
	const body = await nextBody({
		preset: "openrouter",
		sse: sse(
			details({ type: "reasoning.text", index: 0, text: "Ask ", format: "anthropic-claude-v1" }),
			details(
				{ type: "reasoning.text", index: 0, text: "it." },
				{ type: "reasoning.text", index: 0, signature: "sig", text: null },
			),
			details({ type: "reasoning.encrypted", index: 1, data: "opaque" }),
			callDelta({ index: 0, id: "a", function: { name: "weather", arguments: "{}" } }),
			end("tool_calls"),
		),
	});
	expect(body.messages).toMatchObject([
		{ role: "user" },
		{
			role: "assistant",
			reasoning_details: [
				{ type: "reasoning.text", index: 0, text: "Ask it.", format: "anthropic-claude-v1", signature: "sig" },
				{ type: "reasoning.encrypted", index: 1, data: "opaque" },
			],
		},
		{ role: "tool", tool_call_id: "a" },
	]);
});

it("gives Gemini the signature of its call back, under an id of ours where it gave none", async () => {
	const extra_content = { google: { thought_signature: "sig" } };
	const body = await nextBody({
		preset: "gemini",
		sse: sse(
			callDelta({ index: 0, id: "", function: { name: "weather", arguments: "{}" }, extra_content }),
			end("stop"),
		),
	});
	expect(body.messages).toMatchObject([
		{ role: "user" },
		{ role: "assistant", tool_calls: [{ id: "call-1", extra_content }] },
		{ role: "tool", tool_call_id: "call-1" },
	]);
});

it("gives DeepSeek the thinking of its call back", async () => {
	const body = await nextBody({
		preset: "deepseek",
		sse: sse(
			delta({ reasoning_content: "Ask " }),
			delta({ reasoning_content: "it." }),
			callDelta({ index: 0, id: "a", function: { name: "weather", arguments: "{}" } }),
			end("tool_calls"),
		),
	});
	expect(body.messages).toMatchObject([{}, { role: "assistant", reasoning_content: "Ask it." }, {}]);
});
