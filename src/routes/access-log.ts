import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { AppEnv } from "../app-env";

/** Writes one line of JSON for each request: nothing that a caller sent but the method, and no path parameters or queries. */
export const accessLog = createMiddleware<AppEnv>(async (c, next) => {
	const startedAt = Date.now();
	await next();
	const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
	console.log(
		JSON.stringify({
			event: "request",
			method: c.req.method,
			route: routeOf(c),
			status: c.res.status,
			ms: Date.now() - startedAt,
			requestId: c.var.requestId,
			principal: principal?.id ?? null,
		}),
	);
});

/** The route that answered; the one asked for, where a middleware refused before it. */
function routeOf(c: Context): string {
	const answered = routePath(c);
	return answered.endsWith("*") ? routePath(c, -1) : answered;
}
