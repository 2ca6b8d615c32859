import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { incarnationHeader, type RunnerHealth } from "../../src/shared/runner";
import { authorize } from "./authorize";
import type { OpenEgress } from "./egress/egress";
import type { Log } from "./log";
import type { Mirrors } from "./mirrors/mirrors";
import { Refusal, refuse, statusOf } from "./refusal";
import { mirrorRoutes } from "./routes/mirrors";
import { programRoutes } from "./routes/programs";
import type { Sandbox } from "./sandbox/sandbox";
import type { Work } from "./work";

export interface RunnerOptions {
	/** Asked for as a bearer token by everything. */
	readonly token: string;
	/** Names this life of the runner; each answer carries it. */
	readonly incarnation: string;
	readonly sandbox: Sandbox;
	readonly mirrors: Mirrors;
	/** What is under way. */
	readonly work: Work;
	/** The hosted MCP servers, mounted at `/mcp`. */
	readonly servers: Hono;
	/** Makes the way out of one program. */
	readonly openEgress: OpenEgress;
	readonly health: () => RunnerHealth;
	readonly log: Log;
}

/** The runner's HTTP interface. */
export function createApp(options: RunnerOptions) {
	const { token, incarnation, sandbox, mirrors, work, servers, openEgress, health, log } = options;
	return new Hono()
		.use(async (c, next) => {
			const started = performance.now();
			await next();
			c.res.headers.set(incarnationHeader, incarnation);
			const { method, path } = c.req;
			log.info("request", { method, path, status: c.res.status, ms: Math.round(performance.now() - started) });
		})
		.use(authorize(token))
		.get("/health", (c) => c.json(health()))
		.use(async (_, next) => {
			if (work.isDraining) throw refuse("draining", "The runner is stopping and takes nothing new; ask again.");
			await next();
		})
		.route("/programs", programRoutes({ sandbox, mirrors, work, log, openEgress }))
		.route("/mirrors", mirrorRoutes({ mirrors }))
		.route("/mcp", servers)
		.notFound((c) => c.json({ code: "not_found", message: `The runner has no ${c.req.method} ${c.req.path}.` }, 404))
		.onError((error, c) => {
			if (error instanceof Refusal) {
				return c.json({ code: error.code, message: error.message }, statusOf[error.code]);
			}
			if (error instanceof HTTPException)
				return c.json({ code: "invalid_input", message: error.message }, error.status);
			log.error("failure", { error: error.stack ?? error.message });
			return c.json({ code: "internal", message: "The runner failed; its log says more." }, 500);
		});
}
