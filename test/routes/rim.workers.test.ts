import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/workers/api";
import { capturedLog } from "../support/workers/console";

describe("every answer", () => {
	it("bears the request's id, also the caller's own", async () => {
		expect((await call("/api/v1/me")).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
		const named = await call("/api/v1/nowhere", { headers: { "x-request-id": "trace-1" } });
		expect(named.headers.get("x-request-id")).toBe("trace-1");
		expect(named.json).toMatchObject({ error: { code: "not_found", requestId: "trace-1" } });
	});

	it("bears headers that let a browser do nothing with it", async () => {
		const { headers } = await call("/api/v1/me");
		expect(headers.get("content-security-policy")).toBe(
			"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
		);
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("x-frame-options")).toBe("DENY");
		expect(headers.get("cache-control")).toBe("no-store");
	});

	it("is a 404 of the same shape for what is not there", async () => {
		const { status, json } = await call("/nowhere", { token: null });
		expect(status).toBe(404);
		expect(json).toMatchObject({ error: { code: "not_found", message: expect.stringContaining("GET /nowhere") } });
	});

	it("leads a visitor to the documentation", async () => {
		const { status, headers } = await call("/", { token: null });
		expect([status, headers.get("location")]).toEqual([302, "/docs"]);
	});
});

describe("another origin", () => {
	const preflight = (over = {}) =>
		call("/api/v1/agents", {
			method: "OPTIONS",
			token: null,
			headers: { origin: "https://console.example.com", "access-control-request-method": "POST" },
			env: over,
		});

	it("is not let in by default", async () => {
		expect((await preflight()).headers.get("access-control-allow-origin")).toBeNull();
		const { headers } = await call("/api/v1/me", { headers: { origin: "https://console.example.com" } });
		expect(headers.get("access-control-allow-origin")).toBeNull();
	});

	it("is let in when it is listed, and no other", async () => {
		const listed = { ORYX_CORS_ORIGINS: "https://a.example.com, https://console.example.com" };
		const { status, headers } = await preflight(listed);
		expect(status).toBe(204);
		expect(headers.get("access-control-allow-origin")).toBe("https://console.example.com");
		expect(headers.get("access-control-allow-credentials")).toBeNull();
		expect(
			(await preflight({ ORYX_CORS_ORIGINS: "https://a.example.com" })).headers.get("access-control-allow-origin"),
		).toBeNull();
	});
});

describe("a body", () => {
	it("of more than 1 MiB is refused unread", async () => {
		const { status, json } = await call("/api/v1/policy", { method: "PUT", body: { default: "x".repeat(1_100_000) } });
		expect(status).toBe(413);
		expect(json).toMatchObject({ error: { code: "too_large" } });
	});

	it("of more than 1 MiB is refused when it does not say its length", async () => {
		const stream = new ReadableStream<Uint8Array>({
			pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
		});
		const headers = { authorization: `Bearer ${env.ORYX_ADMIN_TOKEN}`, "content-type": "application/json" };
		const response = await exports.default.fetch("https://oryx.test/api/v1/policy", {
			method: "PUT",
			body: stream,
			headers,
		});
		expect(response.status).toBe(413);
	});

	it.each([
		["that is no JSON", "{", "application/json", 400, /no JSON/],
		["that is empty", "", "application/json", 400, /no JSON/],
		["that is nested too deep", "[".repeat(100_000), "application/json", 400, /deeper than 64/],
		["that reaches for a prototype", '{"groups":{"__proto__":"allow"}}', "application/json", 400, /__proto__/],
		["of another type", "default=allow", "application/x-www-form-urlencoded", 415, /as application\/json, not/],
		["of no type", "{}", "", 415, /as application\/json, and/],
		["of the wrong shape", '{"default":"maybe"}', "application/json; charset=utf-8", 400, /^default: /],
		[
			"with a field that does not exist",
			'{"defualt":"deny"}',
			"application/json",
			400,
			/^defualt: There is no such field/,
		],
	])("%s is refused", async (_, body, type, expected, message) => {
		const { status, json } = await call("/api/v1/policy", { method: "PUT", body, headers: { "content-type": type } });
		expect(status).toBe(expected);
		expect(json).toMatchObject({ error: { message: expect.stringMatching(message) } });
	});
});

describe("the log", () => {
	it("has one line of JSON for a request, and nothing that could hold a secret", async () => {
		const lines = capturedLog();
		await call("/api/v1/tool-invocations/canary-in-path?canary=in-query", {
			headers: { "x-canary": "in-header", "x-request-id": "trace-2" },
		});
		expect(lines).toHaveLength(1);
		expect(JSON.parse(lines[0] ?? "")).toEqual({
			event: "request",
			method: "GET",
			route: "/api/v1/tool-invocations/:id",
			status: 404,
			ms: expect.any(Number),
			requestId: "trace-2",
			principal: "admin",
		});
	});

	it("names the route that answered, or the one asked for when the token is refused", async () => {
		const lines = capturedLog();
		await call("/api/v1/openapi.json");
		await call("/api/v1/tool-invocations/export");
		await call("/api/v1/agents/none");
		await call("/api/v1/agents/none", { token: "wrong" });
		expect(lines.map((line) => JSON.parse(line).route)).toEqual([
			"/api/v1/openapi.json",
			"/api/v1/tool-invocations/export",
			"/api/v1/agents/:name",
			"/api/v1/agents/:name",
		]);
	});

	it("tells an operator what broke, and the caller does not learn it", async () => {
		const lines = capturedLog();
		const DB = {
			prepare: () => {
				throw new Error("https://x:hunter2hunter2@db.example.com fell over");
			},
		};
		const { status, json, text } = await call("/api/v1/policy", { env: { DB: DB as unknown as D1Database } });
		expect(status).toBe(500);
		expect(json).toMatchObject({ error: { code: "internal", message: "Something went wrong." } });
		expect(text).not.toContain("fell over");
		expect(lines.join("\n")).toContain("fell over");
		expect(lines.join("\n")).not.toContain("hunter2");
	});
});

describe("health", () => {
	it("refuses loopback to a deployed Worker, and says so", async () => {
		const deployed = { ORYX_DEV: "" };
		const { status, json } = await call("/health", { token: null, env: deployed });
		expect([status, json]).toMatchObject([
			200,
			{ status: "degraded", problems: [expect.stringContaining("ORYX_ALLOW_LOOPBACK")] },
		]);
		const listed = await call("/api/v1/sandbox/whitelist/HTTP", {
			body: { value: "http://127.0.0.1:9000" },
			env: deployed,
		});
		expect(listed.status).toBe(400);
	});

	it("needs no token and tells what is in force", async () => {
		const { status, json } = await call("/health", { token: null });
		expect(status).toBe(200);
		expect(json).toMatchObject({
			status: "ok",
			version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
			database: { reachable: true },
			runner: { state: "off", reason: expect.any(String) },
			sandbox: { backend: null, reason: expect.any(String) },
			model: "manual",
			problems: [],
		});
	});

	it.each([
		["opnai:gpt-5", /unknown provider "opnai"/],
		["openai", /No model of "openai" is named/],
		["openai:gpt-5", /^No key for "openai"\. Set OPENAI_API_KEY/],
		["workers-ai", /not bound/],
	])("says why the model %s cannot be asked, and serves all the same", async (model, problem) => {
		const { status, json } = await call("/health", { token: null, env: { ORYX_MODEL: model, OPENAI_API_KEY: "" } });
		expect([status, json]).toMatchObject([200, { status: "degraded", problems: [expect.stringMatching(problem)] }]);
	});

	it("names the model of the deployment, and no key", async () => {
		const over = { ORYX_MODEL: "openai:gpt-5", ORYX_MODEL_API_KEY: "canary-key" };
		const { json, text } = await call("/health", { token: null, env: over });
		expect(json).toMatchObject({ model: "openai:gpt-5" });
		expect(text).not.toContain("canary");
	});

	it.each([
		["ORYX_ADMIN_TOKEN", "", /ORYX_ADMIN_TOKEN/],
		["ORYX_MASTER_KEY", "", /ORYX_MASTER_KEY/],
		["ORYX_MASTER_KEY", "short", /32 bytes/],
	])("says what to do about %s being %j", async (name, value, problem) => {
		const { status, json } = await call("/health", { token: null, env: { [name]: value } });
		expect(status).toBe(503);
		expect(json).toMatchObject({ status: "degraded", problems: [expect.stringMatching(problem)] });
	});

	it("says when the database does not answer", async () => {
		const DB = {
			prepare: () => {
				throw new Error("canary");
			},
		} as unknown as D1Database;
		const { status, json, text } = await call("/health", { token: null, env: { DB } });
		expect(status).toBe(503);
		expect(json).toMatchObject({ database: { reachable: false } });
		expect(text).not.toContain("canary");
	});
});
