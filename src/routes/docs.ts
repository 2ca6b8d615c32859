import type { Context } from "hono";
import { Hono } from "hono";
import type { AppEnv } from "../app-env";
import { operation } from "./operation";

const page = operation({
	tag: "system",
	summary: "This document as a page",
	permission: "public",
	answers: { 200: { description: "A page to read and try the API; it loads nothing from elsewhere." } },
});

/** The page that shows the OpenAPI document, and the files it loads: all from this origin. */
export const docs = new Hono<AppEnv>()
	.get("/", page, (c) => asset(c, "/docs/"))
	.get("/:file", (c) => asset(c, `/docs/${c.req.param("file")}`));

async function asset(c: Context<AppEnv>, path: string): Promise<Response> {
	const file = await c.var.deployment.assets.fetch(new URL(path, c.req.url));
	// An asset's own headers cannot be changed, and the security headers are still to come.
	const answer = new Response(file.body, file);
	answer.headers.set("Cache-Control", "no-cache");
	return answer;
}
