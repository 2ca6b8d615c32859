import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ScriptedAnswer, scriptedModel } from "../support/scripted-model";
import { call } from "../support/workers/api";
import { makeAgent } from "../support/workers/session";

afterEach(() => {
	vi.unstubAllGlobals();
});

const openai = { name: "openai", model: "scripted", apiKey: "${MODEL_KEY}" };

async function test(script: readonly ScriptedAnswer[], body: Record<string, unknown> = { provider: openai }) {
	await call("/api/v1/secrets/MODEL_KEY", { method: "PUT", body: { value: "model-key-canary-0001" } });
	const model = scriptedModel(script);
	vi.stubGlobal("fetch", model.fetch);
	return { ...(await call("/api/v1/models/test", { body })), model };
}

describe("POST /api/v1/models/test", () => {
	it("says what the model answered, and records the call", async () => {
		const { json } = await test([{ text: "ready" }]);
		expect(json).toMatchObject({ success: true, provider: "openai", model: "scripted", answer: "ready", error: null });
		const row = await env.DB.prepare("SELECT * FROM llm_calls ORDER BY id DESC LIMIT 1").first();
		expect(row).toMatchObject({
			agent: "model-test",
			provider: "openai",
			success: 1,
			input_tokens: 5,
			output_tokens: 2,
		});
	});

	it("says whether the model calls tools, where asked", async () => {
		const calls = [{ name: "report_marker", arguments: '{"marker":"ready"}' }];
		expect((await test([{ calls }], { provider: openai, tools: true })).json).toMatchObject({
			success: true,
			calledTool: true,
		});
		expect((await test([{ text: "I would call it" }], { provider: openai, tools: true })).json).toMatchObject({
			calledTool: false,
		});
	});

	it.each([
		[
			"a wrong key",
			{ status: 401, body: '{"error":{"message":"Incorrect key model-key-canary-0001"}}' },
			"unauthorized",
		],
		[
			"an unknown model",
			{ status: 404, body: '{"error":{"code":"model_not_found","message":"no such model"}}' },
			"model_not_found",
		],
		["an error in a 200", { sse: 'data: {"error":{"message":"overloaded","code":503}}\n\n' }, ""],
		["a page instead of an answer", { status: 200, body: "<html>gateway</html>" }, ""],
		["an answer without a word", { text: "" }, "empty_answer"],
	])("says why it did not on %s, without the key", async (_, answer, code) => {
		const { status, json, text } = await test([answer]);
		expect([status, json]).toMatchObject([
			200,
			{ success: false, error: { code: expect.stringContaining(code), message: expect.stringMatching(/\.$/) } },
		]);
		expect(text).not.toContain("canary");
	});

	it("tries an agent's own model", async () => {
		const agent = await makeAgent({ provider: openai });
		expect((await test([{ text: "ready" }], { agent })).json).toMatchObject({ success: true, provider: "openai" });
		expect((await call("/api/v1/models/test", { body: { agent: "nobody" } })).status).toBe(404);
	});

	it.each(["http://169.254.169.254/v1", "https://models.internal/v1", "https://10.0.0.1/v1"])(
		"does not reach for a private address: %s",
		async (baseUrl) => {
			const { json, model } = await test([{ text: "secret" }], { provider: { ...openai, baseUrl } });
			expect(json).toMatchObject({ success: false, error: { code: "endpoint_refused" } });
			expect(model.requests).toEqual([]);
		},
	);

	it("answers by the manual model where none is configured", async () => {
		expect((await call("/api/v1/models/test", { body: {} })).json).toMatchObject({ success: true, provider: "manual" });
	});
});
