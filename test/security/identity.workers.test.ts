import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { openApiDocument } from "../../src/routes/openapi";
import { scriptedModel } from "../support/scripted-model";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";
import { makeToken } from "../support/workers/tokens";

afterEach(() => {
	vi.unstubAllGlobals();
});

const routes = Object.entries(
	(openApiDocument(app) as { paths: Record<string, Record<string, { security: unknown[] }>> }).paths,
).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, { security }]) => ({
		route: `${method.toUpperCase()} ${path}`,
		method: method.toUpperCase(),
		path: path.replace(/\{\w+\}/g, "x"),
		isPublic: security.length === 0,
	})),
);
const guarded = routes.filter(({ isPublic }) => !isPublic);
const bodyFor = (method: string) => (method === "GET" || method === "DELETE" ? {} : { body: {} });

it("keeps every route but three behind a token", () => {
	expect(
		routes
			.filter(({ isPublic }) => isPublic)
			.map(({ route }) => route)
			.toSorted(),
	).toEqual(["GET /api/v1/openapi.json", "GET /docs", "GET /health"]);
	expect(guarded.length).toBeGreaterThan(50);
});

it("asks every guarded route for a token, and for a permission before it looks at anything", async () => {
	const { token } = await makeToken({ permissions: [] });
	for (const { route, method, path } of guarded) {
		const request = { method, ...bodyFor(method) };
		expect((await call(path, { ...request, token: null })).status, route).toBe(401);
		expect((await call(path, { ...request, token })).status, route).toBe(route === "GET /api/v1/me" ? 200 : 403);
	}
});

it.each([
	"//api/v1/secrets",
	"/API/v1/secrets",
	"/api//v1/secrets",
	"/%61pi/v1/secrets",
	"/api/v1/%73ecrets",
	"/docs/../api/v1/secrets",
	"/api/v1/openapi.json/../secrets",
	"/api/v1/openapi.json%2f..%2fsecrets",
	"/api/v1/secrets%00",
	"/api/v1/secrets;/docs",
])("does not show a guarded route under another spelling: %s", async (path) => {
	const { status, text } = await call(path, { token: null });
	expect([401, 404]).toContain(status);
	expect(text).not.toContain("items");
});

describe("what one token began", () => {
	it("does not exist for another", async () => {
		const agent = await makeAgent({ provider: { name: "manual" } });
		const [owner, other] = [await makeToken({}), await makeToken({})];
		const message = '/json_extract {"json":"[1]","path":"[0]"}';
		const begun = await call(`/api/v1/agents/${agent}/turns`, { body: { message }, token: owner.token });
		const turn = begun.json as { turnId: string; sessionId: string; toolCalls: { id: string }[] };
		const id = turn.sessionId;
		const ways = [
			{ path: `/api/v1/sessions/${id}` },
			{ path: `/api/v1/sessions/${id}/messages` },
			{ path: `/api/v1/sessions/${id}/events` },
			{ path: `/api/v1/sessions/${id}/artifacts/x` },
			{ path: `/api/v1/turns/${turn.turnId}` },
			{ path: `/api/v1/tool-invocations/${turn.toolCalls[0]?.id}` },
			{ path: `/api/v1/sessions/${id}/cancel`, method: "POST" },
			{ path: `/api/v1/sessions/${id}`, method: "DELETE" },
			{ path: `/api/v1/agents/${agent}/turns`, body: { message, sessionId: id } },
			{ path: "/api/v1/tools/current_time/execute", body: { agent, sessionId: id } },
		];
		for (const { path, ...request } of ways) {
			expect((await call(path, { ...request, token: other.token })).status, path).toBe(404);
		}
		for (const list of [
			"/api/v1/sessions",
			`/api/v1/tool-invocations?session=${id}`,
			"/api/v1/tool-invocations/export",
		]) {
			expect((await call(list, { token: other.token })).text, list).not.toContain(id);
		}
		expect((await call(`/api/v1/sessions/${id}`, { token: owner.token })).status).toBe(200);
	});
});

describe("a token that makes and revokes others", () => {
	it("gives no more than it holds, by any spelling", async () => {
		const { token } = await makeToken({ permissions: ["token:edit", "agent:list"] });
		const make = (body: object) => call("/api/v1/tokens", { body: { name: "made", ...body }, token });
		for (const body of [
			{},
			{ role: "admin" },
			{ permissions: ["*"] },
			{ permissions: ["token:*"] },
			{ permissions: ["agent:edit"] },
		]) {
			expect((await make(body)).status, JSON.stringify(body)).toBe(403);
		}
		for (const permission of [":*", "*:*", "__proto__", "constructor:*", "agent:list "]) {
			expect((await make({ permissions: [permission] })).status, permission).toBe(400);
		}
		expect((await make({ permissions: ["agent:list"] })).status).toBe(201);
	});

	it("revokes none that holds more than itself", async () => {
		const { token } = await makeToken({ permissions: ["token:edit", "agent:list"] });
		const [greater, admin, equal] = [
			await makeToken({}),
			await makeToken({ role: "admin" }),
			await makeToken({ permissions: ["agent:list"] }),
		];
		for (const { id } of [greater, admin]) {
			expect((await call(`/api/v1/tokens/${id}`, { method: "DELETE", token })).status).toBe(403);
		}
		expect((await call("/api/v1/me", { token: admin.token })).status).toBe(200);
		expect((await call(`/api/v1/tokens/${equal.id}`, { method: "DELETE", token })).status).toBe(204);
		expect((await call("/api/v1/tokens/nobody", { method: "DELETE", token })).status).toBe(404);
	});

	it("makes none that outlives itself", async () => {
		const expiresAt = new Date(Date.now() + 60_000).toISOString();
		const { token } = await makeToken({ permissions: ["token:edit"], expiresAt });
		const make = (over: object) =>
			call("/api/v1/tokens", { body: { name: "heir", permissions: ["token:edit"], ...over }, token });
		expect((await make({})).json).toMatchObject({ expiresAt });
		const later = new Date(Date.now() + 120_000).toISOString();
		expect((await make({ expiresAt: later })).status).toBe(403);
		const sooner = new Date(Date.now() + 30_000).toISOString();
		expect((await make({ expiresAt: sooner })).json).toMatchObject({ expiresAt: sooner });
	});
});

describe("a stored secret", () => {
	const elsewhere = { name: "openai", model: "m", baseUrl: "https://collector.example/v1", apiKey: "${STORED_KEY}" };
	const storeKey = () =>
		call("/api/v1/secrets/STORED_KEY", { method: "PUT", body: { value: "stored-key-0123456789" } });

	it("is sent to an address of a caller's choice for those alone who may store one", async () => {
		await storeKey();
		const model = scriptedModel([{ text: "got it" }]);
		vi.stubGlobal("fetch", model.fetch);
		const tester = await makeToken({ permissions: ["model:test"] });
		expect((await call("/api/v1/models/test", { body: { provider: elsewhere }, token: tester.token })).status).toBe(
			403,
		);
		expect(model.requests).toEqual([]);
		const keeper = await makeToken({ permissions: ["model:test", "secret:edit"] });
		const tried = await call("/api/v1/models/test", { body: { provider: elsewhere }, token: keeper.token });
		expect(tried.json).toMatchObject({ success: true });
	});

	it("is not turned elsewhere by those who may edit agents, nor lost to them", async () => {
		await storeKey();
		const name = await makeAgent({ provider: elsewhere });
		const path = `/api/v1/agents/${name}`;
		const { token } = await makeToken({ permissions: ["agent:edit", "agent:list"] });
		const mine = { ...elsewhere, baseUrl: "https://mine.example/v1" };
		const attempts = [
			{ path: "/api/v1/agents", method: "POST", body: { name: "fresh", provider: elsewhere } },
			{ path: "/api/v1/agents/fresh", method: "PUT", body: { provider: elsewhere } },
			{ path, method: "PUT", body: { provider: mine } },
			{ path, method: "PATCH", body: { provider: { baseUrl: mine.baseUrl } } },
			{ path, method: "PATCH", body: { provider: { apiKey: "${OTHER}" } } },
		];
		for (const { path, ...request } of attempts) {
			expect((await call(path, { ...request, token })).status, JSON.stringify(request)).toBe(403);
		}
		const described = await call(path, { method: "PATCH", body: { description: "new" }, token });
		expect(described.json).toMatchObject({ description: "new", provider: elsewhere });
		expect((await call(path, { method: "PATCH", body: { provider: { baseUrl: null } }, token })).status).toBe(200);
	});

	it("of a channel does not follow its address to another host, where it would be sent along", async () => {
		const config = { user: "u".repeat(30), allowHost: "gateway.example" };
		const made = {
			name: "phones",
			type: "pushover",
			url: "https://api.pushover.net/1/messages.json",
			secret: "a".repeat(30),
			config,
		};
		await call("/api/v1/notify-channels", { body: made });
		const change = (over: object) =>
			call("/api/v1/notify-channels/phones", { method: "PUT", body: { type: "pushover", config, ...over } });
		expect(await change({ url: "https://gateway.example/x" })).toMatchObject({
			status: 400,
			text: expect.stringContaining("secret:"),
		});
		expect((await change({ description: "kept" })).json).toMatchObject({ configured: { secret: true } });
		expect((await change({ url: "https://gateway.example/x", secret: "b".repeat(30) })).status).toBe(200);
	});
});

it("judges a call by nobody's profile once the default agent is gone", async () => {
	const agent = await makeAgent({ tools: ["current_time"] });
	const { token } = await makeToken({ defaultAgent: agent });
	const time = () => call("/api/v1/tools/current_time/execute", { body: {}, token });
	expect((await time()).status).toBe(200);
	await call(`/api/v1/agents/${agent}`, { method: "DELETE" });
	expect((await time()).status).toBe(404);
});

it("runs a turn that waits as the one who began it, whatever the session's other users may do", async () => {
	const agent = await makeAgent({ provider: { name: "manual" } });
	const own = session();
	const { token, id } = await makeToken({ permissions: ["turn:create", "session:list"] });
	await own.run(agent, "/current_time");
	const { json } = await call(`/api/v1/agents/${agent}/turns`, {
		body: { message: "/current_time", sessionId: own.id },
		token,
	});
	const { toolCalls } = json as { toolCalls: { id: string }[] };
	const row = await vi.waitUntil(async () => {
		const { json } = await call(`/api/v1/tool-invocations/${toolCalls[0]?.id}`);
		return (json as { principal?: string }).principal;
	});
	expect(row).toBe(id);
});
