import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { TurnView } from "../../src/agent/view";
import { eventually } from "../support/eventually";
import { scriptedModel } from "../support/scripted-model";
import { call } from "../support/workers/api";
import { admin, makeAgent, readEvents, session } from "../support/workers/session";

const scripted = { provider: { name: "openai", model: "scripted", apiKey: "${MODEL_KEY}" } };
const storeKey = () => call("/api/v1/secrets/MODEL_KEY", { method: "PUT", body: { value: "model-key-canary-0001" } });

describe("a turn on the manual model", () => {
	it("calls tools in order and answers with their results", async () => {
		const agent = await makeAgent();
		const view = await session().run(
			agent,
			'/current_time {"timezone":"Asia/Shanghai"}\n/json_extract {"json":"{\\"a\\":[1,2]}","path":"a[1]"}',
		);
		expect(view).toMatchObject({ status: "completed", iterations: 2 });
		expect(view.toolCalls.map(({ name, result }) => [name, result?.success])).toEqual([
			["current_time", true],
			["json_extract", true],
		]);
		expect(view.answer).toContain("+08:00");
	});

	it("has one audit row per call and one row per model call in D1", async () => {
		const agent = await makeAgent();
		const view = await session().run(agent, "/current_time\n/no_such_tool {}");
		const rows = await eventually(
			() => env.DB.prepare("SELECT * FROM tool_invocations WHERE turn_id = ? ORDER BY id").bind(view.turnId).all(),
			({ results }) => results.length === 2,
		);
		expect(rows.results).toMatchObject([
			{ tool_name: "current_time", success: 1, gate: null, agent, principal: "admin", session_id: view.sessionId },
			{ tool_name: "no_such_tool", success: 0, code: "unknown_tool", gate: "resolve" },
		]);
		const calls = await env.DB.prepare("SELECT * FROM llm_calls WHERE turn_id = ?").bind(view.turnId).all();
		expect(calls.results).toMatchObject([
			{ provider: "manual", success: 1 },
			{ provider: "manual", success: 1 },
		]);
	});

	it("leaves no alarm when it is over", async () => {
		const agent = await makeAgent();
		const own = session();
		await own.run(agent, "/current_time");
		await eventually(
			() => runInDurableObject(own.stub(), (_, state) => state.storage.getAlarm()),
			(alarm) => alarm === null,
		);
	});
});

describe("a turn on a language model", () => {
	it("streams text, calls tools and keeps the history valid", async () => {
		await storeKey();
		const agent = await makeAgent(scripted);
		const own = session();
		const model = scriptedModel([
			{
				calls: [
					{ name: "current_time", arguments: "" },
					{ name: "json_extract", arguments: "{broken" },
				],
			},
			{ text: "It is late." },
			{ text: "Still late." },
		]);
		await own.useFetch(model.fetch);
		const turnId = await own.start(agent, "What time is it?");
		const stream = await own.stub().watch(admin, 0, turnId);
		const events = await readEvents(stream as ReadableStream<Uint8Array>);
		const text = events
			.filter(({ type }) => type === "text-delta")
			.map(({ data }) => data.text)
			.join("");
		expect(text).toBe("It is late.");
		expect(events.map(({ type }) => type).filter((type) => type !== "text-delta")).toEqual([
			"turn-start",
			"tool-call",
			"tool-call",
			"tool-result",
			"tool-result",
			"turn-end",
		]);
		expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
		const view = await own.over(turnId);
		expect(view).toMatchObject({
			status: "completed",
			answer: "It is late.",
			usage: { inputTokens: 10, outputTokens: 4 },
		});
		expect(view.toolCalls[1]?.result).toMatchObject({ success: false, code: "invalid_arguments", retryable: true });

		expect(await own.run(agent, "And now?")).toMatchObject({ status: "completed", answer: "Still late." });
		const sent = model.requests.at(-1)?.messages ?? [];
		expect(sent.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "tool", "assistant", "user"]);
		expect(sent.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id)).toEqual(
			sent[2]?.tool_calls?.map(({ id }) => id),
		);
	});

	it("waits for the time a 429 asks for by an alarm, then goes on", async () => {
		await storeKey();
		const agent = await makeAgent(scripted);
		const own = session();
		const model = scriptedModel([
			{ status: 429, body: '{"error":{"message":"slow down"}}', headers: { "retry-after": "90" } },
			{ text: "Back again." },
		]);
		await own.useFetch(model.fetch);
		const turnId = await own.start(agent, "Hello");
		const waiting = await eventually(
			async () => (await own.stub().view(turnId, admin)) as TurnView | undefined,
			(view) => view?.waitingFor !== undefined,
		);
		expect(waiting).toMatchObject({ status: "waiting", waitingFor: { type: "retry" } });
		expect(await own.over(turnId)).toEqual(waiting);
		const alarm = await runInDurableObject(own.stub(), (_, state) => state.storage.getAlarm());
		expect(alarm).toBeGreaterThan(Date.now() + 80_000);
		// Nothing is held in memory: the object may go, and the time is over when the alarm says so.
		await runInDurableObject(own.stub(), (_, state) => {
			const { body } = state.storage.sql.exec<{ body: string }>("SELECT body FROM steps").one();
			const step = JSON.parse(body);
			step.failure.retryAt = Date.now();
			state.storage.sql.exec("UPDATE steps SET body = ?", JSON.stringify(step));
		});
		await evictDurableObject(own.stub());
		await own.useFetch(model.fetch);
		await runDurableObjectAlarm(own.stub());
		expect(await own.over(turnId)).toMatchObject({ status: "completed", answer: "Back again." });
		expect(model.requests).toHaveLength(2);
	});

	it("is cancelled while it waits for a retry", async () => {
		await storeKey();
		const own = session();
		const model = scriptedModel([{ status: 429, body: "{}", headers: { "retry-after": "90" } }]);
		await own.useFetch(model.fetch);
		const agent = await makeAgent(scripted);
		const { turnId, status } = await own.run(agent, "Hello");
		expect(status).toBe("waiting");
		expect(await own.stub().cancel(admin)).toBe(1);
		expect(await own.over(turnId)).toMatchObject({ status: "cancelled", toolCalls: [] });
		await eventually(
			() => runInDurableObject(own.stub(), (_, state) => state.storage.getAlarm()),
			(alarm) => alarm === null,
		);
		expect(model.requests).toHaveLength(1);
		await own.useFetch(scriptedModel([{ text: "Fine." }]).fetch);
		expect(await own.run(agent, "Again")).toMatchObject({ status: "completed", answer: "Fine." });
	});

	it("takes secrets out of streamed text, answers and errors", async () => {
		await storeKey();
		const agent = await makeAgent(scripted);
		const own = session();
		await own.useFetch(scriptedModel([{ text: "The key is model-key-canary-0001, keep it." }]).fetch);
		const turnId = await own.start(agent, "Tell me");
		const events = await readEvents((await own.stub().watch(admin, 0, turnId)) as ReadableStream<Uint8Array>);
		const view = await own.over(turnId);
		expect(view.answer).toBe("The key is [secret:MODEL_KEY], keep it.");
		const stored = await runInDurableObject(own.stub(), (_, state) =>
			JSON.stringify([
				state.storage.sql.exec("SELECT * FROM steps").toArray(),
				state.storage.sql.exec("SELECT * FROM events").toArray(),
			]),
		);
		expect(JSON.stringify(events) + stored).not.toContain("canary");
	});
});

describe("a session", () => {
	it("runs turns one at a time, in order", async () => {
		const agent = await makeAgent();
		const own = session();
		const ids = await Promise.all(["one", "two", "three"].map((word) => own.start(agent, `/current_time\n${word}`)));
		const views = await Promise.all(ids.map((id) => own.over(id)));
		expect(views.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
		const events = await readEvents(
			(await own.stub().watch(admin, 0)) as ReadableStream<Uint8Array>,
			({ type, data }) => type === "turn-end" && data.turnId === [...ids].sort().at(-1),
		);
		const ends = events.filter(({ type }) => type === "turn-end").map(({ data }) => data.turnId);
		expect(ends).toEqual([...ids].sort());
	});

	it("begins one turn for one id, however often it is asked", async () => {
		const agent = await makeAgent();
		const own = session();
		const turnId = await own.start(agent, "/current_time");
		await Promise.all([own.start(agent, "/current_time", turnId), own.start(agent, "/current_time", turnId)]);
		await own.over(turnId);
		const described = await own.stub().describe(admin);
		expect(described).toMatchObject({ turns: 1 });
	});

	it("belongs to one agent and one principal", async () => {
		const [agent, other] = [await makeAgent(), await makeAgent()];
		const own = session();
		await own.run(agent, "hello");
		const foreign = await own
			.stub()
			.start({ sessionId: own.id, turnId: `${own.id}.x`, agent: other, message: "hi", principal: admin });
		expect(foreign).toMatchObject({ ok: false, code: "conflict" });
		const stranger = { id: "t", name: "t", role: "user", permissions: ["session:own", "turn:create"] } as const;
		expect(await own.stub().describe(stranger)).toBeUndefined();
		expect(await own.stub().watch(stranger, 0)).toBeUndefined();
		expect(await own.stub().cancel(stranger)).toBeUndefined();
	});

	it("cancels a turn that waits for its model, and gives each call a result", async () => {
		await storeKey();
		const agent = await makeAgent(scripted);
		const own = session();
		const hanging: typeof fetch = (_, init) =>
			new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
		await own.useFetch(hanging);
		const turnId = await own.start(agent, "Hello");
		expect(await own.stub().cancel(admin)).toBe(1);
		expect(await own.over(turnId)).toMatchObject({ status: "cancelled" });
	});

	it("lets a client that reconnects a hundred times see each event once", async () => {
		const agent = await makeAgent();
		const own = session();
		const lines = Array.from({ length: 10 }, () => "/current_time").join("\n");
		const turnId = await own.start(agent, lines);
		const seen: number[] = [];
		for (let connection = 0; connection < 100; connection++) {
			const stream = (await own.stub().watch(admin, seen.at(-1) ?? 0, turnId)) as ReadableStream<Uint8Array>;
			const [event] = await readEvents(stream, () => true);
			if (!event) break;
			seen.push(event.id);
			if (event.type === "turn-end") break;
		}
		const { length } = seen;
		expect(seen).toEqual(Array.from({ length }, (_, at) => at + 1));
		expect(await own.over(turnId)).toMatchObject({ status: "completed" });
	});

	it("lists a session that D1 could not be told of when it began", async () => {
		const agent = await makeAgent();
		const own = session();
		const prepare = vi.spyOn(Object.getPrototypeOf(env.DB), "prepare").mockImplementationOnce(() => {
			throw new Error("D1 is down.");
		});
		await own.run(agent, "hello");
		prepare.mockRestore();
		const listed = await eventually(
			() => call(`/api/v1/sessions?agent=${agent}`),
			({ json }) => (json as { items: unknown[] }).items.length > 0,
		);
		expect(listed.json).toMatchObject({ items: [{ id: own.id, turns: 1 }] });
	});

	it("takes no turn while it is being deleted", async () => {
		const agent = await makeAgent();
		const own = session();
		await own.run(agent, "hello");
		const [removed, started] = await Promise.all([
			own.stub().remove(admin),
			own.stub().start({ sessionId: own.id, turnId: `${own.id}.late`, agent, message: "hi", principal: admin }),
		]);
		expect([removed, started]).toMatchObject([true, { ok: false, code: "conflict" }]);
		expect(await own.run(agent, "anew")).toMatchObject({ status: "completed" });
	});

	it("is gone after its deletion, its audit is not", async () => {
		const agent = await makeAgent();
		const own = session();
		const view = await own.run(agent, "/current_time");
		expect(await own.stub().remove(admin)).toBe(true);
		expect(await own.stub().describe(admin)).toBeUndefined();
		const { results } = await env.DB.prepare("SELECT 1 FROM tool_invocations WHERE turn_id = ?")
			.bind(view.turnId)
			.all();
		expect(results).toHaveLength(1);
		expect(await own.stub().remove(admin)).toBe(false);
	});
});
