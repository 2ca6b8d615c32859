import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";

it("gives every call a result and an audit row when the agent goes in the middle", async () => {
	await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "example.com" } });
	const agent = await makeAgent();
	const own = session();
	await own.useFetch(async () => {
		await call(`/api/v1/agents/${agent}`, { method: "DELETE" });
		return new Response("read");
	});
	const view = await own.run(agent, '/http_get {"url":"https://example.com/"}\n/current_time\n/current_time');
	expect(view).toMatchObject({ status: "failed", error: { code: "agent_missing" } });
	expect(view.toolCalls.map(({ result }) => (result?.success ? "ok" : result?.code))).toEqual([
		"ok",
		"cancelled",
		"cancelled",
	]);
	const rows = await eventually(
		() =>
			env.DB.prepare("SELECT id, success FROM tool_invocations WHERE turn_id = ? ORDER BY id").bind(view.turnId).all(),
		({ results }) => results.length > 0,
	);
	expect(rows.results.map(({ id }) => id)).toEqual(view.toolCalls.map(({ id }) => id));
});
