import { type Context, Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { getInvocation, listInvocations, scanInvocations } from "../db/tool-invocations";
import { instant } from "../shared/instant";
import { invocationView } from "../shared/invocation";
import { sessionIdSchema } from "../shared/names";
import { pageOf } from "../shared/page";
import { hasPermission } from "../shared/principal";
import { formats, streamRows } from "./export-rows";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "audit";
const permission = ["audit:list", "audit:own"] as const;
const description = "Every call of a tool, refusals included, newest first. With `audit:own` only the token's own.";

const filter = z.strictObject({
	tool: z.string().max(128).optional(),
	agent: z.string().max(128).optional(),
	session: sessionIdSchema.optional(),
	success: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }).optional(),
	since: instant.optional(),
	until: instant.optional(),
});

export const toolInvocations = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "List tool calls", description, permission, answers: { 200: pageOf(invocationView) } }),
		validate("query", pageQuery.extend(filter.shape)),
		async (c) => {
			const { limit, cursor: after, session: sessionId, ...query } = c.req.valid("query");
			const filter = { ...query, sessionId, principal: ownOnly(c) };
			return c.json(answerPage(await listInvocations(c.var.db, { ...filter, after, limit }), (row) => row));
		},
	)
	.get(
		"/export",
		operation({
			tag,
			summary: "Export tool calls",
			description: "All that match, streamed, newest first.",
			permission,
			answers: {
				200: { description: "The rows.", content: { "application/x-ndjson": invocationView, "text/csv": z.string() } },
			},
		}),
		validate("query", filter.extend({ format: z.enum(["ndjson", "csv"]).default("ndjson") })),
		(c) => {
			const { format, session: sessionId, ...query } = c.req.valid("query");
			const pages = scanInvocations(c.var.db, { ...query, sessionId, principal: ownOnly(c) });
			return c.body(streamRows(pages, formats[format]), 200, {
				"Content-Type": formats[format].contentType,
				"Content-Disposition": `attachment; filename="tool-invocations.${format}"`,
			});
		},
	)
	.get(
		"/:id",
		operation({
			tag,
			summary: "See one tool call",
			permission,
			answers: { 200: invocationView },
			errors: ["not_found"],
		}),
		async (c) => c.json(await getInvocation(c.var.db, c.req.param("id"), ownOnly(c))),
	);

/** The principal to whom the answer is limited; undefined for who may see everything. */
const ownOnly = (c: Context<AppEnv>): string | undefined =>
	hasPermission(c.var.principal, "audit:list") ? undefined : c.var.principal.id;
