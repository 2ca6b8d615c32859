import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import type { JobFacts, WorkspaceCalls } from "../durable/workspace-calls";
import { pageOf } from "../shared/page";
import { jobView, jobWithChanges, workspacePath } from "../shared/workspace";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";
import { answerOf, useWorkspace, workspaceParam } from "./workspace-use";

const tag = "workspaces";
const jobParam = workspaceParam.extend({ id: z.string().min(1).max(64) });
const maxChanges = 1_000;

export const workspaceJobs = new Hono<AppEnv>()
	.get(
		"/:name/jobs",
		operation({
			tag,
			summary: "List jobs",
			description: "Staged changes, the newest first; those that are over stay listed for a while.",
			permission: "workspace:read",
			answers: { 200: pageOf(jobView) },
		}),
		validate("param", workspaceParam),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			const { object } = await useWorkspace(c, c.req.valid("param").name);
			const jobs = await object.listJobs({ after, limit: limit + 1 });
			const items = jobs.slice(0, limit);
			const next = jobs.length > limit ? items.at(-1)?.id : undefined;
			return c.json(answerPage({ items, next }, viewOfJob), 200);
		},
	)
	.post(
		"/:name/jobs",
		operation({
			tag,
			summary: "Begin a job",
			description:
				"What is then written with `job=` is seen by nobody else until it is committed. A job that nobody uses for `writeSandbox.ttlSeconds` is rolled back.",
			permission: "workspace:edit",
			answers: { 201: jobView },
		}),
		validate("param", workspaceParam),
		async (c) => {
			const { object, context } = await useWorkspace(c, c.req.valid("param").name);
			return c.json(viewOfJob(await object.createJob(context)), 201);
		},
	)
	.get(
		"/:name/jobs/:id",
		operation({
			tag,
			summary: "Get a job and its changes",
			permission: "workspace:read",
			answers: { 200: jobWithChanges },
			errors: ["not_found"],
		}),
		validate("param", jobParam),
		async (c) => {
			const { name, id } = c.req.valid("param");
			const { object } = await useWorkspace(c, name);
			return c.json(withChanges(answerOf(await object.job(id))), 200);
		},
	)
	.get(
		"/:name/jobs/:id/diff",
		operation({
			tag,
			summary: "See a job's changes as a diff",
			description: "Unified, against the workspace as it is now: at one path, or at all that the job has changed.",
			permission: "workspace:read",
			answers: { 200: { description: "The diff.", content: { "text/x-diff": z.string() } } },
			errors: ["not_found", "conflict"],
		}),
		validate("param", jobParam),
		validate("query", z.strictObject({ path: workspacePath.optional() })),
		async (c) => {
			const { name, id } = c.req.valid("param");
			const { object, context } = await useWorkspace(c, name);
			const diff = answerOf(await object.diffOfJob(context, { id, path: c.req.valid("query").path }));
			return c.body(diff, 200, { "Content-Type": "text/x-diff; charset=utf-8" });
		},
	)
	.post(
		"/:name/jobs/:id/commit",
		operation({
			tag,
			summary: "Commit a job",
			description:
				"Puts all its changes into the workspace, or none: where something changed underneath since the job first touched it, 409 lists the paths in `details.paths`, and the job stays open.",
			permission: "workspace:edit",
			answers: { 200: jobView },
			errors: ["not_found", "conflict", "too_large"],
		}),
		validate("param", jobParam),
		async (c) => {
			const { name, id } = c.req.valid("param");
			const { object, context } = await useWorkspace(c, name);
			return c.json(viewOfJob(answerOf(await object.commitJob(context, id))), 200);
		},
	)
	.post(
		"/:name/jobs/:id/rollback",
		operation({
			tag,
			summary: "Roll a job back",
			description: "Throws its changes away.",
			permission: "workspace:edit",
			answers: { 200: jobView },
			errors: ["not_found", "conflict"],
		}),
		validate("param", jobParam),
		async (c) => {
			const { name, id } = c.req.valid("param");
			const { object } = await useWorkspace(c, name);
			return c.json(viewOfJob(answerOf(await object.rollBackJob(id))), 200);
		},
	);

const time = (at: number) => new Date(at).toISOString();

function viewOfJob({ id, state, sessionId, bytes, maxBytes, createdAt, usedAt, expiresAt }: JobFacts) {
	const ends = state === "open" ? time(expiresAt) : null;
	return { id, state, sessionId, bytes, maxBytes, createdAt: time(createdAt), usedAt: time(usedAt), expiresAt: ends };
}

type FoundJob = Extract<Awaited<ReturnType<WorkspaceCalls["job"]>>, { ok: true }>["value"];

function withChanges({ changes, ...job }: FoundJob) {
	const shown = changes.slice(0, maxChanges).map(({ path, change, kind, sizeBefore = null, sizeAfter = null }) => ({
		...{ path, change, kind },
		...{ sizeBefore, sizeAfter },
	}));
	return { ...viewOfJob(job), changes: shown, moreChanges: changes.length - shown.length };
}
