import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelMessage, ModelReply } from "../../src/llm/provider";
import { resolveModel } from "../../src/llm/resolve";
import { assistant, result, user, weather } from "./conversation";

const server = new LLMock({ port: 0, host: "127.0.0.1" });

beforeAll(async () => {
	server.on(
		{ userMessage: "weather", hasToolResult: false },
		{
			content: "Let me see.",
			toolCalls: [
				{ name: "weather", arguments: '{"city":"Oslo"}' },
				{ name: "weather", arguments: '{"city":"Bergen"}' },
			],
		},
	);
	server.on({ userMessage: "weather", hasToolResult: true }, { content: "Oslo has 5 °C, Bergen 7 °C. ☂" });
	server.on(
		{ userMessage: "limit", turnIndex: 0 },
		{ error: { message: "Slow down", type: "rate_limit_error" }, status: 429, retryAfter: 7 },
	);
	await server.start();
});

afterAll(() => server.stop());

interface Answer {
	readonly reply: ModelReply;
	readonly deltas: readonly string[];
}

async function ask(preset: string, messages: readonly ModelMessage[]): Promise<Answer> {
	let count = 0;
	const { provider, model } = await resolveModel({
		environment: { model: `${preset}:model-1`, baseUrl: `${server.url}/v1`, apiKey: "test", keys: () => undefined },
		secret: () => undefined,
		fetch: (url, init) => fetch(url, init),
		allowLoopback: true,
		newId: () => `own-${messages.length}-${++count}`,
	});
	const deltas: string[] = [];
	for await (const event of provider.chat({ model, messages, tools: [weather] }, AbortSignal.timeout(10_000))) {
		if (event.type === "text-delta") deltas.push(event.text);
		if (event.type === "finish") return { reply: event.reply, deltas };
	}
	throw new Error("No answer.");
}

describe.each(["openai", "openai-responses", "anthropic"])("%s, over HTTP", (preset) => {
	it("streams two calls, takes their results back and streams the answer", async () => {
		const question = user("How is the weather in Oslo and Bergen?");
		const first = await ask(preset, [question]);
		expect(first.reply).toMatchObject({
			content: "Let me see.",
			finishReason: "tool-calls",
			toolCalls: [
				{ name: "weather", input: { ok: true, value: { city: "Oslo" } } },
				{ name: "weather", input: { ok: true, value: { city: "Bergen" } } },
			],
		});

		const { content, toolCalls, reasoning } = first.reply;
		const results = toolCalls.map(({ id }, index) => result(id, `${5 + 2 * index} °C`));
		const second = await ask(preset, [question, assistant({ content, calls: toolCalls, reasoning }), ...results]);
		expect(second.reply).toMatchObject({
			content: "Oslo has 5 °C, Bergen 7 °C. ☂",
			finishReason: "stop",
			toolCalls: [],
		});
		expect(second.deltas.length).toBeGreaterThan(1);
		expect(second.deltas.join("")).toBe(second.reply.content);
		expect(server.getLastRequest()?.body).toMatchObject({ model: "model-1", stream: true });
	});

	it("fails with the vendor's limit and the longest of its times", async () => {
		await expect(ask(preset, [user("Try the limit.")])).rejects.toMatchObject({
			code: "rate_limited",
			retryable: true,
			// Beside retry-after of 7 s come limits that are reset in six minutes.
			retryAfterMs: 360_000,
		});
	});
});
