import { type Context, Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { listSessions } from "../db/sessions";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import { hasPermission } from "../shared/principal";
import { sessionMessage, sessionSummary, sessionView } from "../shared/session";
import { eventStream, eventStreamAnswer } from "./event-stream";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { sessionStub } from "./session-stub";
import { validate } from "./validate";

const tag = "sessions";
const permission = ["session:own", "session:list"] as const;

export const sessions = new Hono<AppEnv>()
	.get(
		"/",
		operation({
			tag,
			summary: "List sessions",
			description: "The last used first; without `session:list` only one's own.",
			permission,
			answers: { 200: pageOf(sessionSummary) },
		}),
		validate("query", pageQuery.extend({ agent: z.string().max(64).optional() })),
		async (c) => {
			const { limit, cursor: after, agent } = c.req.valid("query");
			const principal = hasPermission(c.var.principal, "session:list") ? undefined : c.var.principal.id;
			return c.json(
				answerPage(await listSessions(c.var.db, { after, limit, agent, principal }), (row) => row),
				200,
			);
		},
	)
	.get(
		"/:id",
		operation({ tag, summary: "Get a session", permission, answers: { 200: sessionView }, errors: ["not_found"] }),
		async (c) => {
			const found = await stubOf(c).describe(c.var.principal);
			if (!found) throw missing(c);
			return c.json({ ...found, createdAt: new Date(found.createdAt).toISOString() }, 200);
		},
	)
	.delete(
		"/:id",
		operation({
			tag,
			summary: "Delete a session",
			description: "Cancels what runs and removes the conversation, its events and artifacts. The audit stays.",
			permission,
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found"],
		}),
		async (c) => {
			if (!(await stubOf(c).remove(c.var.principal))) throw missing(c);
			return c.body(null, 204);
		},
	)
	.get(
		"/:id/messages",
		operation({
			tag,
			summary: "Read a session's messages",
			description: "Oldest first. Every call of an answer is followed by its one result, once it has ended.",
			permission,
			answers: { 200: pageOf(sessionMessage) },
			errors: ["not_found"],
		}),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			const found = await stubOf(c).messages(c.var.principal, { after, limit });
			if (!found) throw missing(c);
			return c.json(
				answerPage(found, (message) => message),
				200,
			);
		},
	)
	.post(
		"/:id/cancel",
		operation({
			tag,
			summary: "Cancel what runs in a session",
			description:
				"Ends the running turn and those that wait behind it. Calls that had started may have taken effect; their results say so.",
			permission,
			answers: { 200: z.object({ cancelled: z.number() }) },
			errors: ["not_found"],
		}),
		async (c) => {
			const cancelled = await stubOf(c).cancel(c.var.principal);
			if (cancelled === undefined) throw missing(c);
			return c.json({ cancelled }, 200);
		},
	)
	.get(
		"/:id/events",
		operation({
			tag,
			summary: "Watch a session",
			description: "Every event after a number, then what comes. Resume with the header Last-Event-ID or `after`.",
			permission,
			headers: { "Last-Event-ID": "The number of the last event that was seen." },
			answers: { 200: { description: "Server-sent events.", content: eventStreamAnswer } },
			errors: ["not_found"],
		}),
		validate("query", z.strictObject({ after: z.coerce.number().int().min(0).optional() })),
		async (c) => {
			const lastSeen = Number(c.req.header("last-event-id"));
			const after = c.req.valid("query").after ?? (Number.isSafeInteger(lastSeen) && lastSeen > 0 ? lastSeen : 0);
			return eventStream(c, await stubOf(c).watch(c.var.principal, after));
		},
	)
	.get(
		"/:id/artifacts/:artifact",
		operation({
			tag,
			summary: "Read a result that was cut",
			description: "`meta.artifactId` of a tool result names it. `offset` and `limit` count characters.",
			permission,
			answers: { 200: { description: "The text.", content: { "text/plain": z.string() } } },
			errors: ["not_found"],
		}),
		validate(
			"query",
			z.strictObject({
				offset: z.coerce.number().int().min(0).default(0),
				limit: z.coerce.number().int().min(1).max(10_000_000).default(10_000_000),
			}),
		),
		async (c) => {
			const { offset, limit } = c.req.valid("query");
			const text = await stubOf(c).artifact(c.var.principal, c.req.param("artifact"));
			if (text === undefined)
				throw new AppError("not_found", `No artifact ${c.req.param("artifact")} in this session.`);
			return c.text(text.slice(offset, offset + limit), 200);
		},
	);

const stubOf = (c: Context<AppEnv>) => sessionStub(c, c.req.param("id") ?? "");
const missing = (c: Context<AppEnv>) => new AppError("not_found", `No session ${c.req.param("id")}.`);
