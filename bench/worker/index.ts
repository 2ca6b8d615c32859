import { Hono } from "hono";
import type { Env } from "../../src/env";
import worker, { ChannelObject, SessionObject, WorkspaceObject } from "../../src/index";
import { countWoken, takeCounters } from "./counters";
import { countingDatabase } from "./counting-database";
import { countWrites } from "./counting-storage";

/** The objects of the deployment, seen when they wake and when they write. */
class CountedSession extends SessionObject {
	constructor(ctx: DurableObjectState, env: Env) {
		countWrites(ctx.storage);
		super(ctx, counted(env));
		countWoken("SessionObject");
	}
}

class CountedChannel extends ChannelObject {
	constructor(ctx: DurableObjectState, env: Env) {
		countWrites(ctx.storage);
		super(ctx, counted(env));
		countWoken("ChannelObject");
	}
}

class CountedWorkspace extends WorkspaceObject {
	constructor(ctx: DurableObjectState, env: Env) {
		countWrites(ctx.storage);
		super(ctx, env);
		countWoken("WorkspaceObject");
	}
}

export * from "../../src/index";
// These stand before those of the deployment.
export { CountedChannel as ChannelObject, CountedSession as SessionObject, CountedWorkspace as WorkspaceObject };

const environments = new WeakMap<Env, Env>();

function counted(env: Env): Env {
	const known = environments.get(env) ?? { ...env, DB: countingDatabase(env.DB) };
	environments.set(env, known);
	return known;
}

/** What a row of the audit costs without us: the yardstick of a tool call. */
const bare = new Hono<{ Bindings: Env }>().post("/bare", async (c) => {
	const { tool } = await c.req.json<{ tool: string }>();
	const columns =
		"(id, tool_name, input_json, result_json, success, duration_ms, created_at, agent, principal, argument_digest)";
	const statement = c.env.DB.prepare(`INSERT INTO tool_invocations ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
	const row = [crypto.randomUUID(), tool, "{}", '{"success":true}', 1, 1, Date.now(), "bench", "bench", "0".repeat(64)];
	await statement.bind(...row).run();
	return c.json({ success: true });
});

export default {
	async fetch(request, env, ctx) {
		const { pathname } = new URL(request.url);
		if (pathname === "/bare") return bare.fetch(request, env, ctx);
		if (pathname === "/counters") return Response.json(takeCounters());
		return worker.fetch(request, request.headers.has("X-Count") ? counted(env) : env, ctx);
	},
} satisfies ExportedHandler<Env>;
