import { type Context, Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import type { EntryFacts } from "../durable/workspace-calls";
import { entityTags } from "../lib/http-range";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import { directoryView, fileMove, fileView, movedView, putView, workspacePath } from "../shared/workspace";
import { withExample } from "./described";
import { handOver } from "./hand-over";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";
import { download } from "./workspace-download";
import { answerOf, changeQuery, jobQuery, useWorkspace, workspaceParam } from "./workspace-use";

const tag = "workspaces";
const bytes = z.string().meta({ format: "binary" });
const tries = 3;

export const workspaceFiles = new Hono<AppEnv>()
	.get(
		"/:name/files",
		operation({
			tag,
			summary: "Read a file or list a directory",
			description:
				"A directory is answered as a list in byte order of the names, a file as its bytes, with `ETag`, `Last-Modified` and the ranges of RFC 9110. A file is sent as an attachment, and nothing in it as a type that a browser would run.",
			permission: "workspace:read",
			headers: {
				Range: "One range of bytes: `bytes=0-499`, `bytes=500-`, `bytes=-500`.",
				"If-Range": "The range is wanted only of the file with this ETag or date; the whole of any other.",
				"If-None-Match": "Answers 304 when the file still has this ETag.",
			},
			answers: {
				200: {
					description: "The directory, or the file.",
					content: { "application/json": pageOf(fileView), "application/octet-stream": bytes },
				},
				206: { description: "A part of the file.", content: { "application/octet-stream": bytes } },
				304: { description: "The file is the one that the client has." },
			},
			errors: ["not_found", "range_not_satisfiable", "conflict"],
		}),
		validate("param", workspaceParam),
		validate("query", pageQuery.extend(jobQuery.shape).extend({ path: workspacePath.default(".") })),
		async (c) => {
			const { path, limit, cursor: after, job } = c.req.valid("query");
			const { object, context } = await useWorkspace(c, c.req.valid("param").name, { job });
			for (let left = tries; ; left--) {
				const facts = answerOf(await object.facts(context, path));
				if (facts.etag === undefined) {
					const entries = answerOf(await object.entries(context, { path, after, limit: limit + 1 }));
					const items = entries.slice(0, limit);
					const next = entries.length > limit ? items.at(-1)?.name : undefined;
					return c.json(answerPage({ items, next }, viewOfFile), 200);
				}
				try {
					return await download(c, { object, context, facts: { ...facts, etag: facts.etag } });
				} catch (error) {
					if (!(error instanceof AppError && error.code === "conflict") || left === 1) throw error;
				}
			}
		},
	)
	.put(
		"/:name/files",
		operation({
			tag,
			summary: "Write a file",
			description:
				"The body as it is, in place when all of it has come; directories above it are made. `type=directory` makes a directory and takes no body. At most `files.maxFileBytes` of the settings.",
			permission: "workspace:edit",
			headers: {
				"If-Match": "Writes only over the file with this ETag; `*`: only over one that is there.",
				"If-None-Match": "`*`: writes only where nothing is.",
			},
			body: { "application/octet-stream": withExample(bytes, "High water at 14:05.\n") },
			answers: { 200: z.union([putView, directoryView]), 201: z.union([putView, directoryView]) },
			errors: ["not_found", "conflict", "precondition_failed"],
		}),
		validate("param", workspaceParam),
		validate("query", changeQuery.extend({ path: workspacePath, type: z.enum(["file", "directory"]).default("file") })),
		async (c) => {
			const { path, type, ...query } = c.req.valid("query");
			const { object, context } = await useWorkspace(c, c.req.valid("param").name, query);
			if (type === "directory") {
				const made = answerOf(await object.perform(context, "make_dir", { path }));
				return c.json({ path: made.path }, made.created ? 201 : 200);
			}
			const body = bodyWithin(c, context.settings.files.maxFileBytes);
			const conditions = conditionsOf(c);
			const put = answerOf(
				await handOver(body, (handed) => object.putFile(context, { path, body: handed, conditions })),
			);
			c.header("ETag", `"${put.etag}"`);
			return c.json({ path: put.path, size: put.size, etag: put.etag }, put.created ? 201 : 200);
		},
	)
	.delete(
		"/:name/files",
		operation({
			tag,
			summary: "Delete a file or a directory",
			description: "A directory only with `recursive=true`, which takes all that is in it; the workspace root stays.",
			permission: "workspace:edit",
			headers: { "If-Match": "Deletes only the file with this ETag." },
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found", "conflict", "precondition_failed"],
		}),
		validate("param", workspaceParam),
		validate(
			"query",
			changeQuery.extend({ path: workspacePath, recursive: z.enum(["true", "false"]).default("false") }),
		),
		async (c) => {
			const { path, recursive, ...query } = c.req.valid("query");
			const { object, context } = await useWorkspace(c, c.req.valid("param").name, query);
			const directories = recursive === "true" ? "any" : "none";
			answerOf(await object.perform(context, "remove", { path, directories, conditions: conditionsOf(c) }));
			return c.body(null, 204);
		},
	)
	.post(
		"/:name/files/move",
		operation({
			tag,
			summary: "Move a file or a directory",
			description: "Atomic. A file at the new path is replaced, a directory never; directories above it are made.",
			permission: "workspace:edit",
			headers: {
				"If-Match": "Moves only the file with this ETag.",
				"If-None-Match": "`*`: moves only to where nothing is.",
			},
			answers: { 200: movedView },
			errors: ["not_found", "conflict", "precondition_failed"],
		}),
		validate("param", workspaceParam),
		validate("query", changeQuery),
		validate("json", withExample(fileMove, { from: "notes.txt", to: "archive/notes.txt" })),
		async (c) => {
			const { object, context } = await useWorkspace(c, c.req.valid("param").name, c.req.valid("query"));
			const { ifMatch, ifNoneMatch } = conditionsOf(c);
			const conditions = {
				...(ifMatch && { fromConditions: { ifMatch } }),
				...(ifNoneMatch && { toConditions: { ifNoneMatch } }),
			};
			return c.json(answerOf(await object.perform(context, "move", { ...c.req.valid("json"), ...conditions })), 200);
		},
	);

/** The body as it comes. Throws `too_large` at once where its length says so; the object counts what really comes. */
function bodyWithin(c: Context<AppEnv>, maxBytes: number): ReadableStream<Uint8Array> {
	if (Number(c.req.header("content-length") ?? 0) > maxBytes) {
		throw new AppError("too_large", `A file may have at most ${maxBytes} bytes (settings, files.maxFileBytes).`);
	}
	return c.req.raw.body ?? emptyBody();
}

const emptyBody = () => new Response(new Uint8Array(0)).body ?? new ReadableStream({ type: "bytes" });

function conditionsOf(c: Context<AppEnv>) {
	const ifMatch = entityTags(c.req.header("if-match"), "strong");
	const ifNoneMatch = entityTags(c.req.header("if-none-match"), "weak");
	return { ...(ifMatch && { ifMatch }), ...(ifNoneMatch && { ifNoneMatch }) };
}

function viewOfFile({ name, path, kind, size, target, mode, mtimeMs }: EntryFacts) {
	const modifiedAt = new Date(mtimeMs).toISOString();
	return { name, path, kind, size, target: target ?? null, mode: mode.toString(8).padStart(3, "0"), modifiedAt };
}
