import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { byteStream } from "../lib/byte-stream";
import { gzipped } from "../lib/zlib-stream";
import { AppError } from "../shared/errors";
import { unpackedView, workspacePath } from "../shared/workspace";
import { asAttachment } from "./content-type";
import { handOver } from "./hand-over";
import { mediaType } from "./media";
import { operation } from "./operation";
import { validate } from "./validate";
import { answerOf, changeQuery, jobQuery, useWorkspace, workspaceParam } from "./workspace-use";

const tag = "workspaces";
const bytes = z.string().meta({ format: "binary" });
const formats = { tar: "application/x-tar", "tar.gz": "application/gzip" } as const;
const path = workspacePath.default(".");
const accepted = [
	...["application/x-tar", "application/gzip", "application/zip"],
	...["application/x-gtar", "application/x-gzip", "application/x-compressed-tar", "application/x-zip-compressed"],
	"application/octet-stream",
];

export const workspaceArchive = new Hono<AppEnv>()
	.get(
		"/:name/archive",
		operation({
			tag,
			summary: "Download as a tar",
			description:
				"A directory's contents, with modes, times and symbolic links; or one file. Each file is packed as it is when its turn comes; where one is gone by then, the download breaks off.",
			permission: "workspace:read",
			answers: {
				200: { description: "The archive.", content: { "application/x-tar": bytes, "application/gzip": bytes } },
			},
			errors: ["not_found", "conflict"],
		}),
		validate("param", workspaceParam),
		validate("query", jobQuery.extend({ path, format: z.enum(["tar", "tar.gz"]).default("tar") })),
		async (c) => {
			const { name } = c.req.valid("param");
			const { path, format, job } = c.req.valid("query");
			const { object, context } = await useWorkspace(c, name, { job });
			const tar = answerOf(await object.exportArchive(context, path));
			c.header("Content-Type", formats[format]);
			c.header("Content-Disposition", asAttachment(`${name}.${format}`));
			return c.body(format === "tar" ? tar : byteStream(gzipped(tar)), 200);
		},
	)
	.post(
		"/:name/archive",
		operation({
			tag,
			summary: "Upload an archive",
			description:
				"A tar, tar.gz or zip, told apart by its first bytes, is unpacked below `path`: all of it or nothing. An archive is refused as a whole for names and links that lead out, backslashes in names, hard links, devices, names that come twice, encryption, damage, and what would not fit; `details.paths` has the entry. A zip may have as many bytes as a file. Files that are there are replaced. Control files are skipped and listed.",
			permission: "workspace:edit",
			body: { "application/x-tar": bytes, "application/gzip": bytes, "application/zip": bytes },
			answers: { 200: unpackedView },
			errors: ["not_found", "conflict"],
		}),
		validate("param", workspaceParam),
		validate("query", changeQuery.extend({ path })),
		async (c) => {
			const type = mediaType(c);
			if (type !== "" && !accepted.includes(type)) {
				throw new AppError(
					"unsupported_media_type",
					`Send the archive as ${accepted.slice(0, 3).join(", ")}, not ${type}.`,
				);
			}
			const { path, ...query } = c.req.valid("query");
			const { object, context } = await useWorkspace(c, c.req.valid("param").name, query);
			const body = c.req.raw.body;
			if (!body) throw new AppError("invalid_input", "The body is empty; send a tar, tar.gz or zip.");
			return c.json(
				answerOf(await handOver(body, (handed) => object.importArchive(context, { path, body: handed }))),
				200,
			);
		},
	);
