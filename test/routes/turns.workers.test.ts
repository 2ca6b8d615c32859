import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { uuid7 } from "../../src/lib/uuid7";
import { eventually } from "../support/eventually";
import { call } from "../support/workers/api";
import { unanswered } from "../support/workers/provider";
import { makeAgent, readEvents, session } from "../support/workers/session";

const turn = (agent: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
	call(`/api/v1/agents/${agent}/turns`, { body, headers });

/** A user's token with nothing but its role. */
async function userToken(): Promise<string> {
	const made = await call("/api/v1/tokens", { body: { name: `user-${uuid7()}`, role: "user" } });
	return (made.json as { token: string }).token;
}

describe("POST /api/v1/agents/{name}/turns", () => {
	it("answers with the turn when it is over", async () => {
		const agent = await makeAgent();
		const { status, json, headers } = await turn(agent, { message: "/current_time" });
		expect(status).toBe(200);
		expect(json).toMatchObject({
			status: "completed",
			agent,
			iterations: 2,
			toolCalls: [{ name: "current_time", arguments: {}, result: { success: true } }],
		});
		const { turnId, sessionId } = json as { turnId: string; sessionId: string };
		expect([headers.get("x-turn-id"), headers.get("x-session-id")]).toEqual([turnId, sessionId]);
		expect((await call(`/api/v1/turns/${turnId}`)).json).toEqual(json);
	});

	it("answers 202 at once to who prefers so, and the turn goes on", async () => {
		const agent = await makeAgent();
		const { status, json, headers } = await turn(agent, { message: "/current_time" }, { prefer: "respond-async" });
		expect(status).toBe(202);
		expect(headers.get("preference-applied")).toBe("respond-async");
		const { turnId } = json as { turnId: string };
		expect(headers.get("location")).toBe(`/api/v1/turns/${turnId}`);
		await expectCompleted(turnId);
	});

	it("says that a turn waits behind another, and that a repeated one is over", async () => {
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "slow.example.com" } });
		const agent = await makeAgent();
		const own = session();
		await own.useFetch(unanswered().reply);
		const begin = (message: string, key: string) =>
			turn(agent, { message, sessionId: own.id }, { prefer: "respond-async", "idempotency-key": `${own.id}-${key}` });
		const slow = '/http_get {"url": "https://slow.example.com/"}';
		expect(await begin(slow, "first")).toMatchObject({ status: 202, json: { status: "running" } });
		expect(await begin("/current_time", "second")).toMatchObject({ status: 202, json: { status: "queued" } });
		await call(`/api/v1/sessions/${own.id}/cancel`, { method: "POST" });
		expect(await begin(slow, "first")).toMatchObject({ status: 202, json: { status: "cancelled" } });
	});

	it("streams the turn's events and ends with it", async () => {
		const agent = await makeAgent();
		const response = await stream(agent, { message: "/current_time" });
		expect(response.headers.get("content-type")).toContain("text/event-stream");
		const events = await readEvents(response.body as ReadableStream<Uint8Array>);
		expect(events.map(({ type }) => type)).toEqual([
			"turn-start",
			"tool-call",
			"tool-result",
			"text-delta",
			"turn-end",
		]);
		expect(events.at(-1)?.data).toMatchObject({ status: "completed" });
	});

	it("goes on when the client hangs up", async () => {
		const agent = await makeAgent();
		const response = await stream(agent, { message: "/current_time\n/current_time" });
		const turnId = response.headers.get("x-turn-id") ?? "";
		await response.body?.cancel();
		await expectCompleted(turnId);
	});

	it("runs one turn for two requests with one key at once", async () => {
		const agent = await makeAgent();
		const key = { "idempotency-key": uuid7() };
		const body = { message: "/current_time" };
		const [first, second] = await Promise.all([turn(agent, body, key), turn(agent, body, key)]);
		expect(first.json).toEqual(second.json);
		expect((await turn(agent, body, key)).json).toEqual(first.json);
		const { sessionId, turnId } = first.json as { sessionId: string; turnId: string };
		const rows = await call(`/api/v1/tool-invocations?session=${sessionId}`);
		expect((rows.json as { items: { turnId: string }[] }).items.map((row) => row.turnId)).toEqual([turnId]);
	});

	it("refuses a key for another body or another agent, and keeps keys apart by principal", async () => {
		const [agent, other] = [await makeAgent(), await makeAgent()];
		const key = { "idempotency-key": uuid7() };
		await turn(agent, { message: "hello" }, key);
		expect((await turn(agent, { message: "hello!" }, key)).status).toBe(409);
		expect((await turn(other, { message: "hello" }, key)).status).toBe(409);
		const token = await userToken();
		const foreign = await call(`/api/v1/agents/${agent}/turns`, { token, body: { message: "hello!" }, headers: key });
		expect(foreign.status).toBe(200);
		expect((await turn(agent, { message: "hello" }, { "idempotency-key": "x".repeat(256) })).status).toBe(400);
	});

	it("goes on with a session, and refuses it to another agent", async () => {
		const [agent, other] = [await makeAgent(), await makeAgent()];
		const sessionId = `mine-${uuid7()}`;
		await turn(agent, { message: "one", sessionId });
		await turn(agent, { message: "two", sessionId });
		const { json } = await call(`/api/v1/sessions/${sessionId}/messages`);
		const said = (json as { items: { role: string; content: string }[] }).items.filter(({ role }) => role === "user");
		expect(said.map(({ content }) => content)).toEqual(["one", "two"]);
		const refused = await turn(other, { message: "three", sessionId });
		expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(agent)]);
	});

	it("keeps a stored secret that a person wrote out of everything stored", async () => {
		await call("/api/v1/secrets/TOLD", { method: "PUT", body: { value: "told-canary-000042" } });
		const agent = await makeAgent();
		const { json, text } = await turn(agent, { message: "my key is told-canary-000042, keep it" });
		const { sessionId } = json as { sessionId: string };
		const messages = await call(`/api/v1/sessions/${sessionId}/messages`);
		expect(text + messages.text).not.toContain("canary");
		expect(messages.text).toContain("[secret:TOLD]");
	});

	it.each([
		["no message", {}, 400, "message"],
		["an empty message", { message: "" }, 400, "message"],
		["an unknown field", { message: "hi", mesage: "hi" }, 400, "mesage"],
		["a session id with a dot", { message: "hi", sessionId: "a.b" }, 400, "sessionId"],
		["attachments", { message: "hi", attachments: ["x"] }, 400, "attachments"],
	])("refuses %s", async (_, body, status, named) => {
		const answer = await turn(await makeAgent(), body);
		expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(named)]);
	});

	it("answers 404 for an unknown agent, turn or session", async () => {
		expect((await turn("nobody", { message: "hi" })).status).toBe(404);
		for (const path of [
			"turns/none.x",
			"turns/none",
			"sessions/none",
			"sessions/none/messages",
			"sessions/none/events",
			"sessions/a.b",
		]) {
			expect([path, (await call(`/api/v1/${path}`)).status]).toEqual([path, 404]);
		}
		expect((await call("/api/v1/sessions/none/cancel", { method: "POST" })).status).toBe(404);
	});
});

describe("/api/v1/sessions", () => {
	it("shows a user its own sessions only", async () => {
		const agent = await makeAgent();
		const token = await userToken();
		const own = await call(`/api/v1/agents/${agent}/turns`, { token, body: { message: "mine" } });
		const foreign = await turn(agent, { message: "the admin's" });
		const { sessionId } = foreign.json as { sessionId: string };
		const listed = await eventually(
			() => call(`/api/v1/sessions?agent=${agent}`, { token }),
			({ json }) => (json as { items: unknown[] }).items.length > 0,
		);
		expect(listed.json).toMatchObject({
			items: [{ id: (own.json as { sessionId: string }).sessionId, title: "mine" }],
		});
		for (const path of ["", "/messages", "/events"]) {
			expect((await call(`/api/v1/sessions/${sessionId}${path}`, { token })).status).toBe(404);
		}
		expect((await call(`/api/v1/turns/${(foreign.json as { turnId: string }).turnId}`, { token })).status).toBe(404);
		expect((await call(`/api/v1/sessions/${sessionId}`, { token, method: "DELETE" })).status).toBe(404);
	});

	it("deletes a session", async () => {
		const { json } = await turn(await makeAgent(), { message: "hi" });
		const path = `/api/v1/sessions/${(json as { sessionId: string }).sessionId}`;
		expect((await call(path)).json).toMatchObject({ status: "idle", turns: 1 });
		expect((await call(path, { method: "DELETE" })).status).toBe(204);
		expect((await call(path)).status).toBe(404);
	});

	it("lists its messages oldest first, in pages that may end within a turn", async () => {
		const agent = await makeAgent();
		const sessionId = `pages:${uuid7()}`;
		await turn(agent, { message: "/current_time\n/current_time", sessionId });
		await turn(agent, { message: "/current_time", sessionId });
		const path = `/api/v1/sessions/${sessionId}/messages`;
		type Listed = { items: { role: string; turnId: string }[]; nextCursor: string | null };
		const whole = (await call(path)).json as Listed;
		const roles = ["user", "assistant", "tool", "tool", "assistant", "user", "assistant", "tool", "assistant"];
		expect(whole.items.map(({ role }) => role)).toEqual(roles);
		expect(new Set(whole.items.map(({ turnId }) => turnId)).size).toBe(2);
		const pages: Listed[] = [];
		do {
			const cursor = pages.at(-1)?.nextCursor;
			pages.push((await call(`${path}?limit=2${cursor ? `&cursor=${cursor}` : ""}`)).json as Listed);
		} while (pages.at(-1)?.nextCursor);
		expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 2, 2, 1]);
		expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
	});

	it("resumes its events after a number", async () => {
		const { json } = await turn(await makeAgent(), { message: "/current_time" });
		const { sessionId } = json as { sessionId: string };
		const watch = async (query: string, headers = {}) => {
			const response = await get(`/api/v1/sessions/${sessionId}/events${query}`, headers);
			return await readEvents(response.body as ReadableStream<Uint8Array>, ({ type }) => type === "turn-end");
		};
		expect((await watch("")).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
		expect((await watch("?after=3")).map(({ id }) => id)).toEqual([4, 5]);
		expect((await watch("", { "last-event-id": "4" })).map(({ id }) => id)).toEqual([5]);
	});
});

const bearer = { authorization: "Bearer test-admin-token" };
const origin = "https://oryx.test";

const stream = (agent: string, body: unknown) =>
	exports.default.fetch(`${origin}/api/v1/agents/${agent}/turns`, {
		method: "POST",
		body: JSON.stringify(body),
		headers: { ...bearer, "content-type": "application/json", accept: "text/event-stream" },
	});

const get = (path: string, headers: Record<string, string>) =>
	exports.default.fetch(`${origin}${path}`, { headers: { ...bearer, ...headers } });

async function expectCompleted(turnId: string): Promise<void> {
	const view = await eventually(
		() => call(`/api/v1/turns/${turnId}`),
		({ json }) => (json as { endedAt: string | null }).endedAt !== null,
	);
	expect(view.json).toMatchObject({ status: "completed" });
}
