import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { uuid7 } from "../../src/lib/uuid7";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";

const execute = (tool: string, body: Record<string, unknown>, token?: string) =>
	call(`/api/v1/tools/${tool}/execute`, { body, ...(token && { token }) });

const auditOf = (id: unknown) =>
	env.DB.prepare("SELECT * FROM tool_invocations WHERE id = ?").bind(id).first<Record<string, unknown>>();

const invocationId = ({ json }: { json: unknown }) => (json as { invocationId: string }).invocationId;

afterEach(() => {
	vi.unstubAllGlobals();
});

describe("GET /api/v1/tools", () => {
	it("lists every tool with schema, effects and aliases", async () => {
		const { json } = await call("/api/v1/tools");
		const items = (json as { items: { name: string; inputSchema: { type: string } }[] }).items;
		expect(items.map(({ name }) => name)).toEqual(
			expect.arrayContaining(["current_time", "fetch_webpage", "web_fetch", "notify"]),
		);
		expect(items.every(({ inputSchema }) => inputSchema.type === "object")).toBe(true);
		expect((await call("/api/v1/tools/fetch_webpage")).json).toMatchObject({
			aliases: ["web_fetch"],
			aliasOf: null,
			effects: "read",
			available: true,
		});
		expect((await call("/api/v1/tools/web_fetch")).json).toMatchObject({
			aliasOf: "fetch_webpage",
			available: false,
			unavailableReason: expect.stringContaining("fetchEnabled"),
		});
		expect((await call("/api/v1/tools/nothing")).status).toBe(404);
	});

	it("lists them in pages", async () => {
		type Listed = { items: { name: string }[]; nextCursor: string | null };
		const whole = (await call("/api/v1/tools")).json as Listed;
		const first = (await call("/api/v1/tools?limit=7")).json as Listed;
		const rest = (await call(`/api/v1/tools?limit=200&cursor=${first.nextCursor}`)).json as Listed;
		expect(first.items).toHaveLength(7);
		expect([...first.items, ...rest.items]).toEqual(whole.items);
		expect(rest.nextCursor).toBeNull();
	});

	it("refuses to change a built-in, and says what does", async () => {
		for (const method of ["PUT", "PATCH", "DELETE"]) {
			const { status, json } = await call("/api/v1/tools/notify", { method });
			expect([status, json]).toMatchObject([
				409,
				{ error: { code: "builtin_managed", message: expect.stringContaining("/api/v1/policy") } },
			]);
		}
	});
});

describe("POST /api/v1/tools/{name}/execute", () => {
	it("answers the result and leaves one audit row", async () => {
		const answer = await execute("current_time", { arguments: { timezone: "Asia/Shanghai" } });
		expect([answer.status, answer.json]).toMatchObject([
			200,
			{ success: true, content: expect.stringContaining("+08:00") },
		]);
		expect(await auditOf(invocationId(answer))).toMatchObject({
			tool_name: "current_time",
			success: 1,
			agent: "admin",
			principal: "admin",
		});
	});

	it.each([
		["an unknown tool", "nope", {}, 404, "unknown_tool", "resolve"],
		["arguments off the schema", "json_extract", { path: 1 }, 400, "invalid_arguments", "schema"],
		["an unlisted host", "http_get", { url: "https://unlisted.example.net/" }, 403, "not_listed", "lists"],
		["a private address", "http_get", { url: "https://169.254.169.254/" }, 403, "not_listed", "lists"],
	])("refuses %s with the result inside, and audits it", async (_, tool, input, status, code, gate) => {
		const reach = vi.fn();
		vi.stubGlobal("fetch", reach);
		const answer = await execute(tool, { arguments: input });
		expect([answer.status, answer.json]).toMatchObject([
			status,
			{ success: false, code, meta: { gate }, error: { code } },
		]);
		expect(await auditOf(invocationId(answer))).toMatchObject({ success: 0, code, gate });
		expect(reach).not.toHaveBeenCalled();
	});

	it("answers with every field of a result, whether the call succeeded or not", async () => {
		const invocationId = expect.any(String);
		const input = { json: "[7]", path: "[0]" };
		expect((await execute("json_extract", { arguments: input })).json).toEqual({
			invocationId,
			success: true,
			content: "7",
			errorMessage: null,
			code: null,
			retryable: false,
			meta: { durationMs: expect.any(Number) },
		});
		const failed = await execute("json_extract", { arguments: { ...input, path: "[1]" } });
		const message = "The document is a list of 1, which has no [1].";
		expect([failed.status, failed.json]).toEqual([
			200,
			{
				invocationId,
				success: false,
				content: message,
				errorMessage: message,
				code: "not_found",
				retryable: true,
				meta: { durationMs: expect.any(Number) },
			},
		]);
	});

	it("says that there is no such job", async () => {
		const { status, json } = await execute("write_file", { jobId: "j-1", arguments: { path: "a", content: "x" } });
		expect(status).toBe(200);
		expect(json).toMatchObject({ success: false, code: "not_found", errorMessage: expect.stringContaining("j-1") });
	});

	it("takes a call without a body for one without arguments", async () => {
		const path = (tool: string) => `/api/v1/tools/${tool}/execute`;
		expect((await call(path("current_time"), { method: "POST" })).json).toMatchObject({ success: true });
		const { status, json } = await call(path("http_get"), { method: "POST" });
		expect([status, json]).toMatchObject([400, { errorMessage: expect.stringContaining("url: It is missing;") }]);
	});

	it("stores the intent of an effect before the effect", async () => {
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "orders.example.com" } });
		let seen: Record<string, unknown> | null = null;
		vi.stubGlobal("fetch", async () => {
			seen = await env.DB.prepare("SELECT success FROM tool_invocations ORDER BY id DESC LIMIT 1").first();
			return new Response("made", { status: 201 });
		});
		const answer = await execute("http_post", { arguments: { url: "https://orders.example.com/", body: { n: 1 } } });
		expect(seen).toEqual({ success: null });
		expect(await auditOf(invocationId(answer))).toMatchObject({ success: 1 });
	});

	it("judges by the profile of the agent named, by the token's own otherwise", async () => {
		const agent = await makeAgent({ tools: ["current_time"] });
		expect(await execute("json_extract", { agent, arguments: { json: "{}", path: "a" } })).toMatchObject({
			status: 403,
			json: { code: "not_in_profile", meta: { gate: "profile" } },
		});
		expect((await execute("current_time", { agent })).status).toBe(200);
		expect((await execute("current_time", { agent: "nobody" })).status).toBe(404);

		const bare = await call("/api/v1/tokens", { body: { name: `bare-${uuid7()}`, role: "user" } });
		expect(await execute("current_time", {}, (bare.json as { token: string }).token)).toMatchObject({
			status: 403,
			json: { code: "not_in_profile", errorMessage: expect.stringContaining("a default agent") },
		});
		const bound = await call("/api/v1/tokens", {
			body: { name: `bound-${uuid7()}`, role: "user", defaultAgent: agent },
		});
		expect((await execute("current_time", {}, (bound.json as { token: string }).token)).status).toBe(200);
	});

	it("holds a policy from the next request on", async () => {
		const { json: before } = await call("/api/v1/policy");
		await call("/api/v1/policy", { method: "PUT", body: { tools: { current_time: "supervised" } } });
		expect(await execute("current_time", {})).toMatchObject({
			status: 403,
			json: { code: "approval_required", meta: { gate: "approval" } },
		});
		await call("/api/v1/policy", { method: "PUT", body: { limits: { toolCallsPerMinute: { current_time: 1 } } } });
		await execute("current_time", {});
		expect(await execute("current_time", {})).toMatchObject({
			status: 429,
			json: { code: "rate_limited", retryable: true },
		});
		await call("/api/v1/policy", { method: "PUT", body: before });
		expect((await execute("current_time", {})).status).toBe(200);
	});

	it("keeps a long result in the session that is named", async () => {
		const agent = await makeAgent();
		const own = session();
		await own.run(agent, "hello");
		await call("/api/v1/policy", { method: "PUT", body: { limits: { maxResultChars: 1000 } } });
		const json = JSON.stringify({ text: "x".repeat(5_000) });
		const answer = await execute("json_extract", { sessionId: own.id, arguments: { json, path: "text" } });
		await call("/api/v1/policy", { method: "PUT", body: {} });
		const { meta } = answer.json as { meta: { artifactId: string; truncated: boolean } };
		expect(meta.truncated).toBe(true);
		const whole = await call(`/api/v1/sessions/${own.id}/artifacts/${meta.artifactId}`);
		expect(whole.text).toContain("x".repeat(5_000));
		expect((await call(`/api/v1/sessions/${own.id}/artifacts/${meta.artifactId}?offset=10&limit=5`)).text).toBe(
			"xxxxx",
		);
		expect((await execute("current_time", { sessionId: "none" })).status).toBe(404);
	});

	it("lets no stored secret into a result or the audit", async () => {
		await call("/api/v1/secrets/SHOWN", { method: "PUT", body: { value: "shown-canary-000007" } });
		const answer = await execute("json_extract", { arguments: { json: '{"a":"shown-canary-000007"}', path: "a" } });
		expect(answer.text).toContain("[secret:SHOWN]");
		expect(answer.text + JSON.stringify(await auditOf(invocationId(answer)))).not.toContain("canary");
	});
});
