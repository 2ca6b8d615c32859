import { Hono } from "hono";
import type { Env } from "../../src/env";
import worker, { ChannelObject, SessionObject } from "../../src/index";
import { counters, takeCounters } from "./counters";
import { countingDatabase } from "./counting-database";
import { countWrites } from "./counting-storage";

/** The sessions of the deployment, seen when they wake and when they write. */
class CountedSession extends SessionObject {
	constructor(ctx: DurableObjectState, env: Env) {
		countWrites(ctx.storage);
		super(ctx, counted(env));
		counters.woken.push("SessionObject");
	}
}

class CountedChannel extends ChannelObject {
	constructor(ctx: DurableObjectState, env: Env) {
		countWrites(ctx.storage);
		super(ctx, counted(env));
		counters.woken.push("ChannelObject");
	}
}

export { CountedChannel as ChannelObject, CountedSession as SessionObject };

const environments = new WeakMap<Env, Env>();

function counted(env: Env): Env {
	const known = environments.get(env) ?? { ...env, DB: countingDatabase(env.DB) };
	environments.set(env, known);
	return known;
}

/** What one insert costs without us: the yardstick of a tool call. */
const bare = new Hono<{ Bindings: Env }>().post("/bare", async (c) => {
	const { note } = await c.req.json<{ note: string }>();
	const statement = c.env.DB.prepare("INSERT INTO bench_bare (id, note, created_at) VALUES (?, ?, ?)");
	await statement.bind(crypto.randomUUID(), note, Date.now()).run();
	return c.json({ ok: true });
});

export default {
	async fetch(request, env, ctx) {
		const { pathname } = new URL(request.url);
		if (pathname === "/bare") return bare.fetch(request, env, ctx);
		if (pathname === "/counters") return Response.json(takeCounters());
		return worker.fetch(request, request.headers.has("X-Count") ? counted(env) : env, ctx);
	},
} satisfies ExportedHandler<Env>;
