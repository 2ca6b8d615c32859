import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { maxQueuedTurns } from "../../src/durable/session-store";
import { uuid7 } from "../../src/lib/uuid7";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";
import { makeToken } from "../support/workers/tokens";

const manual = { provider: { name: "manual" } };

/** An agent, and how to send it a message under a key. */
async function keyed() {
	const agent = await makeAgent(manual);
	const key = uuid7();
	const send = (body: object, over: object = {}) =>
		call(`/api/v1/agents/${agent}/turns`, {
			body: { message: '/save_memory {"content":"once"}', ...body },
			headers: { "idempotency-key": key },
			...over,
		});
	const memories = async () =>
		(await env.DB.prepare("SELECT 1 FROM memories WHERE agent = ?").bind(agent).all()).results.length;
	return { agent, send, memories };
}

describe("an idempotency key", () => {
	it("begins one turn of twenty at once, and none for another body", async () => {
		const { send, memories } = await keyed();
		const answers = await Promise.all(Array.from({ length: 20 }, () => send({})));
		expect(new Set(answers.map(({ json }) => (json as { turnId: string }).turnId)).size).toBe(1);
		expect(await memories()).toBe(1);
		expect((await send({ message: "other" })).status).toBe(409);
	});

	it("is one's own: another token's is another turn", async () => {
		const { send, memories } = await keyed();
		const { token } = await makeToken({});
		await send({});
		expect((await send({}, { token })).status).toBe(200);
		expect(await memories()).toBe(2);
	});

	it("does not begin its turn once more after the session was deleted", async () => {
		const { send, memories } = await keyed();
		const { json } = await send({});
		const { sessionId } = json as { sessionId: string };
		await call(`/api/v1/sessions/${sessionId}`, { method: "DELETE" });
		expect(await send({})).toMatchObject({ status: 409, text: expect.stringContaining("was deleted") });
		expect(await memories()).toBe(1);
		expect((await call(`/api/v1/sessions/${sessionId}`)).status).toBe(404);
	});

	it("of another session is not touched by a deletion, however alike the names", async () => {
		const [first, second] = [await keyed(), await keyed()];
		const id = `s-${uuid7()}`;
		await first.send({ sessionId: id });
		const began = await second.send({ sessionId: `${id}0` });
		await call(`/api/v1/sessions/${id}`, { method: "DELETE" });
		expect((await second.send({ sessionId: `${id}0` })).json).toMatchObject({
			turnId: (began.json as { turnId: string }).turnId,
		});
	});

	it("is free again when its turn was refused", async () => {
		const { agent, send, memories } = await keyed();
		const own = session();
		await own.useFetch(() => new Promise(() => {}));
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "never.example.com" } });
		const hanging = '/http_get {"url":"https://never.example.com/"}';
		for (let turn = 0; turn <= maxQueuedTurns; turn++) await own.start(agent, hanging);
		expect((await send({ sessionId: own.id })).status).toBe(429);
		await call(`/api/v1/sessions/${own.id}/cancel`, { method: "POST" });
		expect((await send({ sessionId: own.id })).json).toMatchObject({ status: "completed" });
		expect(await memories()).toBe(1);
	});
});

describe("a cancel that races with the end of a turn", () => {
	it("leaves the turn over, the session idle and the next turn well", async () => {
		const agent = await makeAgent(manual);
		const outcomes = new Set<string>();
		for (let round = 0; round < 12; round++) {
			const own = session();
			const turn = own.run(agent, "/current_time\n".repeat(round % 4));
			for (let ticks = 0; ticks < round; ticks++) await scheduler.wait(1);
			const { status } = await call(`/api/v1/sessions/${own.id}/cancel`, { method: "POST" });
			expect([200, 404]).toContain(status);
			const view = await turn;
			outcomes.add(view.status);
			expect(view.toolCalls.every(({ result }) => result !== null)).toBe(true);
			expect((await call(`/api/v1/sessions/${own.id}`)).json).toMatchObject({ status: "idle" });
			expect((await own.run(agent, "/current_time")).status).toBe("completed");
		}
		for (const outcome of outcomes) expect(["completed", "cancelled"]).toContain(outcome);
	});
});

describe("a turn whose ground is taken away", () => {
	it("ends as failed when its agent is deleted, with a result for each call, and its session goes on with a new one", async () => {
		const agent = await makeAgent(manual);
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "slow.example.com" } });
		const own = session();
		await own.useFetch(async () => {
			await call(`/api/v1/agents/${agent}`, { method: "DELETE" });
			return new Response("late");
		});
		const view = await own.run(
			agent,
			'/http_get {"url":"https://slow.example.com/"}\n/save_memory {"content":"never"}',
		);
		expect(view).toMatchObject({ status: "failed", error: { code: "agent_missing" } });
		expect(view.toolCalls[0]?.result).toMatchObject({ success: true });
		const { json } = await call(`/api/v1/sessions/${own.id}/messages`);
		const { items } = json as { items: { role: string }[] };
		expect(items.filter(({ role }) => role === "tool")).toHaveLength(2);
		expect((await env.DB.prepare("SELECT 1 FROM memories WHERE agent = ?").bind(agent).all()).results).toEqual([]);
		await call("/api/v1/agents", { body: { name: agent, tools: ["*"], ...manual } });
		expect((await own.run(agent, "/current_time")).status).toBe("completed");
	});

	it("knows a secret from the step on after it was stored", async () => {
		const agent = await makeAgent(manual);
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "echo.example.com" } });
		await call("/api/v1/secrets/TURNING", { method: "PUT", body: { value: "turning-old-0123456789" } });
		const own = session();
		await own.useFetch(async () => {
			await call("/api/v1/secrets/TURNING", { method: "PUT", body: { value: "turning-new-0123456789" } });
			return new Response("turning-old-0123456789", { headers: { "content-type": "text/plain" } });
		});
		const lines =
			'/http_get {"url":"https://echo.example.com/"}\n/json_extract {"json":"[\\"turning-new-0123456789\\"]","path":"[0]"}';
		const view = await own.run(agent, lines);
		expect(view.toolCalls.map(({ result }) => (result?.success ? result.content : ""))).toEqual([
			expect.stringContaining("[secret:TURNING]"),
			"[secret:TURNING]",
		]);
	});
});
