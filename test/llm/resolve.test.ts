import { describe, expect, it } from "vitest";
import { presets } from "../../src/llm/presets";
import { type ResolveOptions, resolveModel } from "../../src/llm/resolve";
import type { ProviderConfig } from "../../src/shared/agent";
import { delta, end, sse } from "../fixtures/llm/stream-text";
import { collect, question } from "./play";

interface World {
	readonly provider?: ProviderConfig;
	readonly environment?: Partial<ResolveOptions["environment"]>;
	readonly keys?: Readonly<Record<string, string>>;
	readonly secrets?: Readonly<Record<string, string>>;
	readonly allowLoopback?: boolean;
	readonly ai?: ResolveOptions["ai"];
}

const sent: { url: string; headers: Record<string, string> }[] = [];

const resolve = ({ provider, environment, keys = {}, secrets = {}, allowLoopback = false, ai }: World) =>
	resolveModel({
		provider,
		environment: { ...environment, keys: (name) => keys[name] },
		secret: async (name) => secrets[name],
		fetch: async (url, { headers }) => {
			sent.push({ url, headers: headers as Record<string, string> });
			return new Response(sse(delta({ content: "Hi" }), end("stop")));
		},
		ai,
		allowLoopback,
		newId: () => "call-1",
	});

/** Where a question went, and every header that it carried. */
async function requestOf(world: World): Promise<{ url: string; headers: Record<string, string> }> {
	sent.length = 0;
	const { provider } = await resolve(world);
	await collect(provider.chat(question, new AbortController().signal)).catch(() => []);
	expect(sent).toHaveLength(1);
	return sent[0] ?? { url: "", headers: {} };
}

const keys = { OPENAI_API_KEY: "deployment-key", ANTHROPIC_API_KEY: "anthropic-key", MISTRAL_API_KEY: "mistral-key" };

describe("the model of an agent", () => {
	it("is the deployment's, and manual where there is none", async () => {
		expect(await resolve({})).toMatchObject({ name: "manual", model: "manual", provider: { dialect: "manual" } });
		expect(await resolve({ environment: { model: "openai:gpt-1" }, keys })).toMatchObject({
			name: "openai",
			model: "gpt-1",
		});
		expect(await resolve({ environment: { model: "ollama:llama3:8b" } })).toMatchObject({
			name: "ollama",
			model: "llama3:8b",
		});
	});

	it("is its own where it names one, the deployment's model of that provider where it names only that", async () => {
		const environment = { model: "openai:gpt-1" };
		expect(await resolve({ environment, keys, provider: { name: "mistral", model: "large" } })).toMatchObject({
			name: "mistral",
			model: "large",
		});
		expect(await resolve({ environment, keys, provider: { name: "openai" } })).toMatchObject({ model: "gpt-1" });
		expect(await resolve({ environment, keys, provider: { name: "manual" } })).toMatchObject({ name: "manual" });
	});

	it.each<[string, World, RegExp]>([
		[
			"an unknown provider of the deployment",
			{ environment: { model: "gpt-1" } },
			/ORYX_MODEL names the unknown provider "gpt-1".*openai/,
		],
		["an unknown provider of the agent", { provider: { name: "toString", model: "x" } }, /provider\.name of the agent/],
		["no model", { environment: { model: "openai" }, keys }, /ORYX_MODEL=openai:model/],
		["no model of the agent", { provider: { name: "groq" } }, /Set provider\.model/],
		["no key", { environment: { model: "openai:gpt-1" } }, /OPENAI_API_KEY or ORYX_MODEL_API_KEY/],
		["a blank key", { environment: { model: "openai:gpt-1", apiKey: " \n" } }, /No key for "openai"/],
		[
			"a key that is none",
			{ environment: { model: "openai:gpt-1", apiKey: "ключ" } },
			/ORYX_MODEL_API_KEY holds a character/,
		],
		[
			"no key for the agent's provider",
			{ provider: { name: "groq", model: "x" } },
			/Set GROQ_API_KEY, or provider\.apiKey/,
		],
		["a secret that is not stored", { provider: { name: "groq", model: "x", apiKey: "${MINE}" } }, /The secret MINE/],
		["no address", { environment: { model: "azure:gpt-1", apiKey: "k" } }, /Set ORYX_MODEL_BASE_URL/],
		[
			"an address that is none",
			{ environment: { model: "openai:gpt-1", apiKey: "k", baseUrl: "models.example" } },
			/ORYX_MODEL_BASE_URL is no/,
		],
		["no binding", { environment: { model: "workers-ai" } }, /not bound/],
	])("is not configured with %s, and the error says what to do", async (_, world, message) => {
		const error = await resolve(world).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			name: "ModelError",
			code: "not_configured",
			message: expect.stringMatching(message),
		});
	});

	it("may be bound instead of addressed", async () => {
		const ai = { run: async () => ({ response: "Hi" }) };
		expect(await resolve({ provider: { name: "workers-ai" }, ai })).toMatchObject({
			model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
			provider: { dialect: "workers-ai" },
		});
	});
});

describe("a key", () => {
	it("of the deployment goes to the preset's own host, trimmed, or to the deployment's base URL", async () => {
		expect(
			await requestOf({ environment: { model: "openai:gpt-1" }, keys: { OPENAI_API_KEY: " deployment-key\n" } }),
		).toMatchObject({
			url: "https://api.openai.com/v1/chat/completions",
			headers: { authorization: "Bearer deployment-key" },
		});
		const environment = { model: "openai:gpt-1", baseUrl: "http://10.0.0.5:8000/v1/", apiKey: "own-key" };
		for (const world of [
			{ environment, keys },
			{ environment, keys, provider: { name: "openai", model: "gpt-2" } },
		]) {
			expect(await requestOf(world)).toMatchObject({
				url: "http://10.0.0.5:8000/v1/chat/completions",
				headers: { authorization: "Bearer own-key" },
			});
		}
	});

	it("of the deployment's model does not go to another vendor, nor its base URL serve one", async () => {
		const environment = { model: "openai:gpt-1", baseUrl: "https://proxy.example/v1", apiKey: "own-key" };
		expect(await requestOf({ environment, keys, provider: { name: "mistral", model: "large" } })).toMatchObject({
			url: "https://api.mistral.ai/v1/chat/completions",
			headers: { authorization: "Bearer mistral-key" },
		});
		await expect(resolve({ environment, provider: { name: "groq", model: "x" } })).rejects.toThrow(/GROQ_API_KEY/);
	});

	it("of the deployment never goes to a host that an agent names", async () => {
		const environment = { model: "openai:gpt-1", apiKey: "own-key" };
		for (const [name, preset] of Object.entries(presets)) {
			if (!preset.keyVariable) continue;
			const provider = { name, model: "gpt-1", baseUrl: "https://models.example/v1" };
			const allKeys = { ...keys, [preset.keyVariable]: "deployment-key" };
			await expect(resolve({ environment, keys: allKeys, provider })).rejects.toMatchObject({ code: "not_configured" });
			const secrets = { MINE: "agents-key" };
			const { url, headers } = await requestOf({
				environment,
				keys: allKeys,
				secrets,
				provider: { ...provider, apiKey: "${MINE}" },
			});
			expect(url).toMatch(/^https:\/\/models\.example\/v1\//);
			expect(Object.values(headers).join(" ")).toContain("agents-key");
			expect(Object.values(headers).join(" ")).not.toMatch(/deployment-key|own-key/);
		}
		const local = { name: "vllm", model: "x", baseUrl: "https://models.example/v1" };
		expect((await requestOf({ environment, keys, provider: local })).headers).not.toHaveProperty("authorization");
	});

	it("of an agent goes in the place of the deployment's, in the vendor's own header", async () => {
		const secrets = { MINE: "agents-key" };
		const provider = { name: "anthropic", model: "claude-1", apiKey: "${MINE}" };
		const { url, headers } = await requestOf({ keys, secrets, provider });
		expect(url).toBe("https://api.anthropic.com/v1/messages");
		expect(headers).toMatchObject({ "x-api-key": "agents-key", "anthropic-version": "2023-06-01" });
		const azure = { name: "azure", model: "gpt-1", baseUrl: "https://me.azure.example/openai/v1", apiKey: "${MINE}" };
		expect((await requestOf({ secrets, provider: azure })).headers).toMatchObject({ "api-key": "agents-key" });
	});
});

describe("a host that an agent names", () => {
	const secrets = { MINE: "agents-key" };
	const to = (baseUrl: string, allowLoopback = false) =>
		resolve({ provider: { name: "openai", model: "x", apiKey: "${MINE}", baseUrl }, secrets, allowLoopback });

	it.each([
		"http://models.example/v1",
		"https://169.254.169.254/latest",
		"https://10.0.0.5/v1",
		"https://localhost/v1",
		"http://127.0.0.1:11434/v1",
		"https://user:pass@models.example/v1",
		"https://models.example:8443/v1",
		"file:///etc/passwd",
	])("is refused as %s", async (baseUrl) => {
		await expect(to(baseUrl)).rejects.toMatchObject({ code: "endpoint_refused" });
	});

	it("may be public by https, and loopback in development", async () => {
		expect(await to("https://models.example/v1")).toMatchObject({ name: "openai" });
		expect(await to("http://127.0.0.1:11434/v1", true)).toMatchObject({ name: "openai" });
	});

	it("is judged too where a preset's own address is this machine, unless the operator chose it", async () => {
		const provider = { name: "ollama", model: "llama3" };
		await expect(resolve({ provider })).rejects.toMatchObject({ code: "endpoint_refused" });
		expect(await resolve({ provider, allowLoopback: true })).toMatchObject({ name: "ollama" });
		expect(await resolve({ provider, environment: { model: "ollama:llama3" } })).toMatchObject({ name: "ollama" });
	});
});

describe("each preset", () => {
	it.each(Object.entries(presets))("%s is whole", (_, { dialect, baseUrl, keyVariable }) => {
		const isRemote = baseUrl !== undefined && !baseUrl.includes("127.0.0.1");
		if (isRemote) expect(new URL(baseUrl).protocol).toBe("https:");
		expect(keyVariable !== undefined).toBe(isRemote || (dialect === "openai-chat" && baseUrl === undefined));
	});
});
