import { describe, expect, it } from "vitest";
import { type AiBinding, workersAi } from "../../src/llm/workers-ai";
import { delta, end, sse } from "../fixtures/llm/stream-text";
import { secondRound, weather } from "./conversation";
import { collect, question } from "./play";

async function ask(run: AiBinding["run"], request = question, signal = new AbortController().signal) {
	const provider = workersAi({ vendor: "workers-ai", ai: { run }, newId: () => "call-1" });
	return await collect(provider.chat(request, signal));
}

describe("the Workers AI binding", () => {
	it("is given the model, chat messages and the signal", async () => {
		const calls: unknown[][] = [];
		const { signal } = new AbortController();
		const run: AiBinding["run"] = async (...given) => {
			calls.push(given);
			return { response: "Hi" };
		};
		await ask(run, secondRound({ model: "@cf/model", maxTokens: 9, temperature: 0.5 }), signal);
		expect(calls).toEqual([
			[
				"@cf/model",
				{
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
						{ role: "tool", tool_call_id: "own-1", name: "weather", content: "5 °C" },
						{ role: "tool", tool_call_id: "vendor-2", name: "weather", content: "The arguments are no JSON." },
					],
					tools: [
						{
							type: "function",
							function: { name: "weather", description: weather.description, parameters: weather.inputSchema },
						},
					],
					temperature: 0.5,
					max_tokens: 9,
					stream: true,
				},
				{ signal },
			],
		]);
	});

	it("may answer with a response of its own", async () => {
		const events = await ask(async () => new Response(sse(delta({ content: "Hi" }), end("stop"))));
		expect(events.at(-1)).toMatchObject({ type: "finish", reply: { content: "Hi", finishReason: "stop" } });
	});

	it.each([
		["5007: No such model @cf/none or task", "model_not_found", false],
		["AiError: 3036: You have used up your daily free allocation of 10,000 neurons.", "quota_exceeded", false],
		["3040: Capacity temporarily exceeded, please try again.", "overloaded", true],
		["3007: Request timeout", "timeout", true],
		["5004: Invalid data type for base64 input", "invalid_request", false],
		["Network connection lost.", "overloaded", true],
	])("that throws %j has failed with %s", async (message, code, retryable) => {
		const asked = ask(() => Promise.reject(new Error(message)));
		await expect(asked).rejects.toMatchObject({ name: "ModelError", code, retryable });
	});

	it("that gives nothing has failed", async () => {
		await expect(ask(async () => undefined)).rejects.toMatchObject({ code: "bad_response", retryable: true });
	});

	it("rejects with the signal's reason when it is aborted", async () => {
		const reason = new Error("cancelled");
		await expect(ask(() => Promise.reject(new Error("aborted")), question, AbortSignal.abort(reason))).rejects.toBe(
			reason,
		);
	});
});
