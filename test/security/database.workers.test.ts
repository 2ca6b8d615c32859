import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { seal } from "../../src/lib/seal";
import { call } from "../support/workers/api";
import { brokenDatabase } from "../support/workers/broken-database";

afterEach(() => {
	vi.restoreAllMocks();
});

const busy = brokenDatabase("database is locked: SQLITE_BUSY");
const empty = brokenDatabase("no such table: agents: SQLITE_ERROR");
const token = "oryx_AAAAAAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA00000000";

const requests = [
	{ path: "/api/v1/agents" },
	{ path: "/api/v1/agents", body: { name: "new" } },
	{ path: "/api/v1/sessions" },
	{ path: "/api/v1/tool-invocations" },
	{ path: "/api/v1/tokens", body: { name: "new" } },
	{ path: "/api/v1/policy" },
	{ path: "/api/v1/agents/some/turns", body: { message: "hello" } },
	{ path: "/api/v1/tools/current_time/execute", body: {} },
	{ path: "/api/v1/models/test", body: {} },
];

describe("a database that does not answer", () => {
	it.each(requests)("is said to be the reason, and to come back for: $path", async ({ path, ...request }) => {
		const { status, headers, json } = await call(path, { ...request, env: { DB: busy } });
		expect([status, json]).toMatchObject([
			503,
			{ error: { code: "unavailable", message: expect.stringMatching(/database does not answer/) } },
		]);
		expect(headers.get("retry-after")).toBe("5");
	});

	it("lets in nobody whom it would have to look up", async () => {
		expect([401, 503]).toContain((await call("/api/v1/me", { token, env: { DB: busy } })).status);
		expect((await call("/api/v1/me", { env: { DB: busy } })).status).toBe(200);
	});
});

describe("a database without the tables of this version", () => {
	it.each(requests)("is said to want its migrations: $path", async ({ path, ...request }) => {
		const { status, json } = await call(path, { ...request, env: { DB: empty } });
		expect([status, json]).toMatchObject([
			500,
			{ error: { code: "misconfigured", message: expect.stringContaining("migrations apply") } },
		]);
	});

	it("is said so by health, too", async () => {
		const { status, json } = await call("/health", { token: null, env: { DB: empty } });
		expect([status, json]).toMatchObject([
			503,
			{ status: "degraded", database: { reachable: false }, problems: [expect.stringContaining("migrations apply")] },
		]);
	});
});

it("keeps the values of a query that failed out of the log", async () => {
	const said: string[] = [];
	vi.spyOn(console, "error").mockImplementation((line) => void said.push(String(line)));
	const description = "nobody else's business";
	for (const DB of [busy, empty, brokenDatabase("UNIQUE constraint failed: SQLITE_CONSTRAINT")]) {
		await call("/api/v1/agents", { body: { name: "new", description }, env: { DB } });
		await call("/api/v1/agents/nobody-else", { env: { DB } });
	}
	expect(said.length).toBeGreaterThan(3);
	for (const line of said) {
		expect(line).toContain("SQLITE_");
		expect(line).not.toMatch(/nobody|Failed query|params/);
	}
});

it("says in health that what is stored was sealed with another key, and serves all the same", async () => {
	const other = btoa("another-master-key-of-32-bytes!!");
	expect((await call("/health")).json).toMatchObject({ problems: [] });
	await env.DB.prepare("INSERT INTO secrets (name, value, hint, created_at, updated_at) VALUES ('OLD', ?, '', 0, 0)")
		.bind(await seal(other, "secrets|OLD|value", "old"))
		.run();
	const { status, json } = await call("/health");
	expect([status, json]).toMatchObject([
		200,
		{ status: "degraded", problems: [expect.stringContaining("another ORYX_MASTER_KEY")] },
	]);
});
