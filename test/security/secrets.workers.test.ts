import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createRedactor } from "../../src/lib/redact";
import { uuid7 } from "../../src/lib/uuid7";
import { knownSecrets } from "../../src/notify/known-secrets";
import { type ScriptedAnswer, scriptedModel } from "../support/scripted-model";
import { call } from "../support/workers/api";
import { channel, webhookUrl } from "../support/workers/channel";
import { provider } from "../support/workers/provider";
import { makeAgent, readEvents, session } from "../support/workers/session";
import { storedInD1, storedInObject } from "../support/workers/stored";

afterEach(() => {
	vi.unstubAllGlobals();
});

const canary = "CANARY-model-key-0123456789";
const base64 = (text: string) => btoa(text).replaceAll("=", "");
/** The canary, and what its letters become in base64 at each of three places. */
const traces = /CANARY|Q0FOQVJZ|NBTkFSW|DQU5BUl/;
const openai = { name: "openai", model: "scripted", apiKey: "${PROBE_KEY}" };
const storeKey = () => call("/api/v1/secrets/PROBE_KEY", { method: "PUT", body: { value: canary } });

const chunk = (choice: unknown, over: object = {}) =>
	`data: ${JSON.stringify({ id: "c", model: "scripted", choices: [{ index: 0, ...(choice as object) }], ...over })}\n\n`;
const calling = (calls: readonly object[]) =>
	chunk({ delta: { tool_calls: calls.map((call, index) => ({ index, type: "function", ...call })) } }) +
	chunk({ delta: {}, finish_reason: "tool_calls" });
const saying = (content: string, over: object = {}) =>
	chunk({ delta: { content } }, over) + chunk({ delta: {}, finish_reason: "stop" });

/** What a model's server that has been handed a key may do with it. */
const reflections: readonly (readonly [place: string, sse: string])[] = [
	[
		"its text, a letter at a time",
		[...`${canary} ${base64(canary)}`].map((content) => chunk({ delta: { content } })).join("") + saying("."),
	],
	["its thinking", chunk({ delta: { reasoning_content: `I was given ${canary}` } }) + saying("done")],
	["the name of the model", saying("done", { model: `m-${canary}` })],
	["an unknown reason to stop", chunk({ delta: { content: "done" } }) + chunk({ delta: {}, finish_reason: canary })],
	["the id and the name of a call", calling([{ id: canary, function: { name: `t_${canary}`, arguments: "{}" } }])],
	[
		"the arguments of calls",
		calling([
			{
				id: "a",
				function: {
					name: "json_extract",
					arguments: JSON.stringify({ json: JSON.stringify({ a: canary }), path: "a" }),
				},
			},
			{
				id: "b",
				function: { name: "save_memory", arguments: JSON.stringify({ content: `keep ${canary} ${base64(canary)}` }) },
			},
			{
				id: "c",
				function: { name: "notify", arguments: JSON.stringify({ content: canary, title: canary, [canary]: 1 }) },
			},
		]),
	],
	[
		"arguments that are no JSON",
		calling([{ id: "a", function: { name: "json_extract", arguments: `{"json": ${canary}` } }]),
	],
	["an error inside a 200", `data: ${JSON.stringify({ error: { message: `bad key ${canary}`, code: canary } })}\n\n`],
];

describe("a key that the model's server throws back", () => {
	it.each(reflections)("in %s is shown, stored and carried on nowhere", async (_, sse) => {
		await storeKey();
		await call("/api/v1/notify-channels", {
			body: { name: "crew", type: "webhook", url: webhookUrl, isDefault: true },
		});
		const sent: string[] = [];
		provider(({ body }) => {
			sent.push(body);
			return new Response("ok");
		});
		const agent = await makeAgent({ provider: openai, settings: { max_seconds: 2 } });
		const own = session();
		const told: string[] = [];
		const model = scriptedModel([{ sse }, { text: "done" }]);
		await own.useFetch(async (input, init) => {
			told.push(String(init?.body));
			return await model.fetch(input, init);
		});
		const view = await own.run(agent, "go");
		const answers = [
			await call(`/api/v1/turns/${view.turnId}`),
			await call(`/api/v1/sessions/${own.id}/messages`),
			await call("/api/v1/tool-invocations?limit=200"),
			await call("/api/v1/llm-calls?limit=200"),
			await call("/api/v1/notify-channels/crew/deliveries"),
		].map(({ text }) => text);
		const events = await own
			.stub()
			.watch({ id: "admin", name: "admin", role: "admin", permissions: ["*"] }, 0, view.turnId);
		const seen = [...answers, ...told, ...sent, JSON.stringify(events && (await readEvents(events)))];
		for (const text of [...seen, await storedInD1(), await storedInObject(own.stub())])
			expect(text).not.toMatch(traces);
		expect(answers[0]).toContain(view.turnId);
	});

	it("is not in what a test of the model answers or records", async () => {
		await storeKey();
		for (const [, sse] of reflections) {
			const told: string[] = [];
			const model = scriptedModel([{ sse } satisfies ScriptedAnswer]);
			vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
				told.push(String(init?.body));
				return await model.fetch(input, init);
			});
			const { status, text } = await call("/api/v1/models/test", {
				body: { provider: openai, message: `say ${canary}`, tools: true },
			});
			expect(status).toBe(200);
			expect([text, ...told].join()).not.toMatch(traces);
		}
		expect(await storedInD1()).not.toMatch(traces);
	});
});

describe("a secret that stands in what people wrote", () => {
	it("before it was stored is not shown to a model afterwards", async () => {
		const value = `late-${uuid7()}`;
		const agent = await makeAgent({ provider: openai, prompt: `The door code is ${value}.` });
		await storeKey();
		const own = session();
		const told: string[] = [];
		const model = scriptedModel([{ text: "one" }, { text: "two" }]);
		await own.useFetch(async (input, init) => {
			told.push(String(init?.body));
			return await model.fetch(input, init);
		});
		await own.run(agent, `remember ${value}`);
		expect(told[0]).toContain(value);
		await call("/api/v1/secrets/LATE", { method: "PUT", body: { value } });
		await own.run(agent, "go on");
		expect(told[1]).not.toContain(value);
		expect(told[1]).toContain("The door code is [secret:LATE].");
	});

	it("is taken out of a direct call before it is kept or sent on, the tool's name included", async () => {
		await storeKey();
		await call("/api/v1/notify-channels", {
			body: { name: "crew", type: "webhook", url: webhookUrl, isDefault: true },
		});
		const world = provider(() => new Response("ok"));
		for (const [tool, args] of [
			["save_memory", { content: `note ${canary}` }],
			["notify", { channel: "crew", content: `tell ${canary}`, title: canary }],
			[`t_${canary}`, {}],
			["json_extract", { json: JSON.stringify({ a: JSON.stringify({ b: canary }) }), path: canary }],
		] as const) {
			await call(`/api/v1/tools/${encodeURIComponent(tool)}/execute`, { body: { arguments: args } });
		}
		expect(world.requests.map(({ body }) => body)).toEqual([
			'{"content":"[secret:PROBE_KEY]\\n\\ntell [secret:PROBE_KEY]"}',
		]);
		expect(await storedInD1()).not.toMatch(traces);
		expect(await storedInObject(env.CHANNEL.getByName("crew"))).not.toMatch(traces);
	});
});

describe("an address that its provider quotes", () => {
	it("does not show a piece of itself where the quote is cut off", async () => {
		const token = webhookUrl.split("/").at(-1) ?? "";
		for (let lead = 120; lead < 200; lead += 7) {
			provider(() => new Response(`${"p".repeat(lead)} ${webhookUrl} ${webhookUrl}`, { status: 403 }));
			const team = await channel();
			const id = uuid7();
			const verdict = await team.deliver("hello", id);
			expect(verdict).toMatchObject({ status: "failed", providerCode: "http_403" });
			const kept = JSON.stringify([
				verdict,
				await team.recorded(id),
				await team.row(),
				await storedInObject(team.stub()),
			]);
			expect(kept, `after ${lead} letters`).not.toContain(token.slice(0, 6));
		}
	});

	it("stays JSON when it is taken out of JSON, whatever the channel is called", () => {
		const target = { type: "webhook", url: webhookUrl, secret: undefined, config: {} } as const;
		const { redactKnown } = createRedactor(knownSecrets('the "crew"', target));
		expect(JSON.parse(redactKnown(JSON.stringify({ errmsg: webhookUrl })))).toEqual({
			errmsg: `[secret:channel the 'crew']`,
		});
	});

	it("is not shown by a page that quotes only its token", async () => {
		const token = `once-${uuid7()}`;
		await call("/api/v1/notify-channels", {
			body: { name: "quoted", type: "webhook", url: `https://hooks.example.com/x/${token}` },
		});
		const { text } = await call("/api/v1/tools/json_extract/execute", {
			body: { arguments: { json: JSON.stringify({ a: `token ${token}` }), path: "a" } },
		});
		expect(text).toContain("token [secret:channel quoted]");
	});
});

describe("another master key", () => {
	const other = { ORYX_MASTER_KEY: btoa("another-master-key-of-32-bytes!!") };

	it("is said to be the reason, and nothing is lost", async () => {
		await storeKey();
		const model = scriptedModel([{ text: "ready" }]);
		vi.stubGlobal("fetch", model.fetch);
		const body = { provider: openai };
		const { json } = await call("/api/v1/models/test", { body, env: other });
		expect(json).toMatchObject({
			success: false,
			error: {
				code: "not_configured",
				message: expect.stringMatching(/PROBE_KEY.*cannot be read.*another ORYX_MASTER_KEY/),
			},
		});
		expect(model.requests).toEqual([]);
		// In real life the other key would be another isolate's.
		await call("/api/v1/secrets/UNRELATED", { method: "PUT", body: { value: "anything" } });
		expect((await call("/api/v1/models/test", { body })).json).toMatchObject({ success: true, answer: "ready" });
	});
});
