import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished } from "vitest";
import { call } from "../support/workers/api";
import { countedDatabase } from "../support/workers/counted-database";
import { makeToken } from "../support/workers/tokens";

const execute = (tool: string, over: Parameters<typeof call>[1] = {}) =>
	call(`/api/v1/tools/${tool}/execute`, { body: { arguments: {} }, ...over });

/** A change that this isolate hears of by its number alone, as when another one made it. */
const changeElsewhere = (statement: string) =>
	env.DB.batch([env.DB.prepare(statement), env.DB.prepare("UPDATE config_version SET version = version + 1")]);

/** What the Worker asks of the world until the test is over; it gets nothing. */
function recordedFetch(): string[] {
	const reached: string[] = [];
	const { fetch } = globalThis;
	globalThis.fetch = async (request) => {
		reached.push(String(request));
		return new Response("nothing");
	};
	onTestFinished(() => {
		globalThis.fetch = fetch;
	});
	return reached;
}

const rowsOf = async (id: unknown) =>
	(await env.DB.prepare("SELECT * FROM tool_invocations WHERE id = ?").bind(id).all()).results;

describe("a direct call that reaches nothing", () => {
	it("costs one trip to the database, its record included", async () => {
		const { DB, trips } = countedDatabase();
		await execute("current_time", { env: { DB } });
		const before = trips();
		const { status, json } = await execute("current_time", { env: { DB } });
		expect(status).toBe(200);
		expect(trips() - before).toBe(1);
		const { invocationId } = json as { invocationId: string };
		expect(await rowsOf(invocationId)).toMatchObject([{ tool_name: "current_time", success: 1 }]);
	});

	it("is judged by what another isolate has just changed, and leaves one record", async () => {
		expect((await execute("current_time")).status).toBe(200);
		await changeElsewhere(`INSERT INTO tool_policies VALUES ('tool', 'current_time', '"deny"')`);
		const denied = await execute("current_time");
		expect(denied.status).toBe(403);
		const { invocationId } = denied.json as { invocationId: string };
		expect(await rowsOf(invocationId)).toMatchObject([{ success: 0, code: "policy_denied", gate: "policy" }]);
		await changeElsewhere("DELETE FROM tool_policies");
		const allowed = await execute("current_time");
		expect(allowed.status).toBe(200);
		const { invocationId: second } = allowed.json as { invocationId: string };
		expect(await rowsOf(second)).toMatchObject([{ success: 1, code: null, gate: null, error_message: null }]);
	});

	it("finds an agent that another isolate has just made", async () => {
		await execute("current_time");
		const profile = JSON.stringify({ name: "fresh", tools: ["current_time"] });
		await changeElsewhere(`INSERT INTO agents VALUES ('fresh', '', '${profile}', 0, 0)`);
		const body = { arguments: {}, agent: "fresh" };
		expect((await execute("current_time", { body })).status).toBe(200);
		expect((await execute("json_extract", { body })).status).toBe(403);
	});

	it("is refused to a token revoked a moment ago", async () => {
		const { id, token } = await makeToken({ defaultAgent: "fresh" });
		expect((await execute("current_time", { token })).status).toBe(200);
		await env.DB.prepare("DELETE FROM tokens WHERE id = ?").bind(id).run();
		const headers = { "cf-connecting-ip": "192.0.2.99" };
		expect((await execute("current_time", { token, headers })).status).toBe(401);
	});
});

describe("a direct call that reaches out", () => {
	it("knows the configuration in force before it does", async () => {
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "gone.example.com" } });
		await execute("current_time");
		await changeElsewhere("DELETE FROM sandbox_whitelist");
		const reached = recordedFetch();
		const { status, json } = await execute("http_get", { body: { arguments: { url: "https://gone.example.com/" } } });
		expect(status).toBe(403);
		expect(json).toMatchObject({ success: false, code: "not_listed" });
		expect(reached).toEqual([]);
		const { invocationId } = json as { invocationId: string };
		expect(await rowsOf(invocationId)).toMatchObject([{ success: 0, gate: "lists" }]);
	});
});
