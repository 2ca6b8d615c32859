import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newToken } from "../../src/lib/token";
import { userPermissions } from "../../src/shared/permissions";
import { call } from "../support/workers/api";
import { capturedLog } from "../support/workers/console";
import { countedDatabase } from "../support/workers/counted-database";
import { makeToken } from "../support/workers/tokens";

const from = (address: string) => ({ "cf-connecting-ip": address });

describe("a token", () => {
	it("tells the admin who he is", async () => {
		const { status, json } = await call("/api/v1/me");
		expect(status).toBe(200);
		expect(json).toEqual({ id: "admin", name: "admin", role: "admin", permissions: ["*"], defaultAgent: null });
	});

	it("tells a user who he is and what he may do", async () => {
		await call("/api/v1/agents/reporter", { method: "PUT", body: {} });
		const { id, token } = await makeToken({ name: "ci", defaultAgent: "reporter" });
		const { json } = await call("/api/v1/me", { token });
		expect(json).toEqual({ id, name: "ci", role: "user", permissions: userPermissions, defaultAgent: "reporter" });
	});

	it.each([
		["is missing", undefined],
		["is not a bearer's", `Basic ${btoa("admin:test-admin-token")}`],
		["is wrong", "Bearer test-admin-tokem"],
		["is empty", "Bearer "],
		["has the right one as its beginning", "Bearer test-admin-token-and-more"],
	])("is refused when it %s", async (_, authorization) => {
		const headers = { ...from("192.0.2.1"), ...(authorization !== undefined && { authorization }) };
		const { status, json, headers: answered } = await call("/api/v1/me", { token: null, headers });
		expect(status).toBe(401);
		expect(answered.get("www-authenticate")).toBe("Bearer");
		expect(json).toMatchObject({ error: { code: "unauthorized", requestId: answered.get("x-request-id") } });
	});

	it("is refused when nobody made it, well-formed as it may be", async () => {
		const { token } = await newToken();
		expect((await call("/api/v1/me", { token, headers: from("192.0.2.2") })).status).toBe(401);
	});

	it("is refused when it has no more than the id of another one", async () => {
		const { id, token } = await makeToken({});
		const { hash } = await newToken();
		await env.DB.prepare("UPDATE tokens SET hash = ? WHERE id = ?").bind(hash, id).run();
		expect((await call("/api/v1/me", { token, headers: from("192.0.2.3") })).status).toBe(401);
	});

	it("is refused once it has expired", async () => {
		const { id, token } = await makeToken({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
		expect((await call("/api/v1/me", { token })).status).toBe(200);
		await env.DB.prepare("UPDATE tokens SET expires_at = ? WHERE id = ?")
			.bind(Date.now() - 1, id)
			.run();
		expect((await call("/api/v1/me", { token, headers: from("192.0.2.4") })).status).toBe(401);
	});

	it("is refused from the moment it is revoked", async () => {
		const { id, token } = await makeToken({});
		expect((await call("/api/v1/me", { token })).status).toBe(200);
		expect((await call(`/api/v1/tokens/${id}`, { method: "DELETE" })).status).toBe(204);
		expect((await call("/api/v1/me", { token, headers: from("192.0.2.5") })).status).toBe(401);
	});

	it("costs its sender a pause when too many were wrong, and nobody with a right one", async () => {
		const guess = () => call("/api/v1/me", { token: "wrong", headers: from("192.0.2.66") });
		const answers = await Promise.all(Array.from({ length: 40 }, guess));
		expect(answers.map(({ status }) => status)).toContain(401);
		const limited = answers.find(({ status }) => status === 429);
		expect(limited?.headers.get("retry-after")).toBe("60");
		expect(limited?.json).toMatchObject({ error: { code: "rate_limited" } });
		expect((await call("/api/v1/me", { headers: from("192.0.2.66") })).status).toBe(200);
		expect((await call("/api/v1/me", { token: "wrong", headers: from("192.0.2.67") })).status).toBe(401);
	});

	it("costs one read of the database, and the admin's none", async () => {
		const { token } = await makeToken({});
		const { DB, trips } = countedDatabase();
		await call("/api/v1/me", { token, env: { DB } });
		expect(trips()).toBe(1);
		await call("/api/v1/me", { env: { DB } });
		expect(trips()).toBe(1);
	});
});

describe("a deployment without its secrets", () => {
	it.each(["ORYX_ADMIN_TOKEN", "ORYX_MASTER_KEY"])("serves nobody and says that %s is missing", async (name) => {
		capturedLog();
		const { status, json } = await call("/api/v1/me", { token: "test-admin-token", env: { [name]: "" } });
		expect(status).toBe(500);
		expect(json).toMatchObject({ error: { code: "misconfigured", message: expect.stringContaining(name) } });
	});

	it("does not take an empty token for its own", async () => {
		capturedLog();
		const headers = { authorization: "Bearer  " };
		const { status } = await call("/api/v1/me", { token: null, headers, env: { ORYX_ADMIN_TOKEN: "" } });
		expect(status).toBe(500);
	});
});

describe("a permission", () => {
	it.each([
		["GET", "/api/v1/notify-channels", "channel:list"],
		["POST", "/api/v1/agents", "agent:edit"],
		["PUT", "/api/v1/skills/a", "skill:edit"],
		["PUT", "/api/v1/policy", "policy:edit"],
		["GET", "/api/v1/settings", "settings:list"],
		["POST", "/api/v1/sandbox/whitelist/HTTP", "whitelist:edit"],
		["GET", "/api/v1/secrets", "secret:list"],
		["DELETE", "/api/v1/tokens/x", "token:edit"],
		["GET", "/api/v1/llm-calls", "audit:list"],
	])("is asked for by %s %s", async (method, path, permission) => {
		const { token } = await makeToken({});
		const { status, json } = await call(path, { method, token });
		expect(status).toBe(403);
		expect(json).toMatchObject({ error: { code: "forbidden", message: expect.stringContaining(permission) } });
	});

	it("can be given alone, or for all of a resource", async () => {
		const { token } = await makeToken({ permissions: ["policy:list", "settings:*"] });
		const statusOf = async (path: string, method = "GET", body?: unknown) =>
			(await call(path, { method, token, body })).status;
		expect(await statusOf("/api/v1/policy")).toBe(200);
		expect(await statusOf("/api/v1/policy", "PUT", {})).toBe(403);
		expect(await statusOf("/api/v1/settings", "PUT", {})).toBe(200);
		expect(await statusOf("/api/v1/agents")).toBe(403);
	});

	it("cannot be given by who does not hold it", async () => {
		const { token } = await makeToken({ permissions: ["token:edit", "agent:list"] });
		const make = async (body: Record<string, unknown>) =>
			(await call("/api/v1/tokens", { token, body: { name: "x", ...body } })).status;
		expect(await make({ permissions: ["agent:list"] })).toBe(201);
		expect(await make({ permissions: ["agent:edit"] })).toBe(403);
		expect(await make({ permissions: ["*"] })).toBe(403);
		expect(await make({ role: "admin" })).toBe(403);
		expect(await make({})).toBe(403);
	});
});

describe("API tokens", () => {
	it("are shown once and stored as a hash", async () => {
		const { id, token } = await makeToken({ name: "once" });
		const { text } = await call("/api/v1/tokens?limit=200");
		expect(text).toContain(id);
		expect(text).not.toContain(token);
		const stored = await env.DB.prepare("SELECT * FROM tokens WHERE id = ?").bind(id).first();
		expect(stored?.hash).toMatch(/^[0-9a-f]{64}$/);
		expect(JSON.stringify(stored)).not.toContain(token);
	});

	it.each([
		["no name", {}, /^name:/],
		["a role that does not exist", { name: "x", role: "root" }, /^role:/],
		[
			"a permission that does not exist",
			{ name: "x", permissions: ["agent:fly"] },
			/^permissions\[0\]: No such permission/,
		],
		[
			"permissions beside the role admin",
			{ name: "x", role: "admin", permissions: ["agent:list"] },
			/^permissions: Role admin/,
		],
		["a default agent that does not exist", { name: "x", defaultAgent: "nobody" }, /^defaultAgent: there is no agent/],
		["an end that is no time", { name: "x", expiresAt: "soon" }, /^expiresAt: Write a time/],
		["a past end", { name: "x", expiresAt: "2020-01-01T00:00:00Z" }, /^expiresAt:/],
	])("are not made with %s", async (_, body, message) => {
		const { status, json } = await call("/api/v1/tokens", { body });
		expect(status).toBe(400);
		expect(json).toMatchObject({ error: { code: "invalid_input", message: expect.stringMatching(message) } });
	});
});
