import type { Context } from "hono";
import type { AppEnv } from "../app-env";
import type { FileFacts, WorkspaceCalls } from "../durable/workspace-calls";
import { entityTags, type RangeVerdict, resolveRange } from "../lib/http-range";
import { AppError } from "../shared/errors";
import type { WorkspaceContext } from "../workspace/context";
import { asAttachment, contentTypeOf } from "./content-type";
import { answerOf } from "./workspace-use";

interface Source {
	readonly object: WorkspaceCalls;
	readonly context: WorkspaceContext;
	readonly facts: FileFacts & { etag: string };
}

/** Answers a file, or what of it the request's headers ask for. Throws `range_not_satisfiable` for a range behind its end. */
export async function download(c: Context<AppEnv>, { object, context, facts }: Source): Promise<Response> {
	const { path, size, etag, mtimeMs } = facts;
	const name = path.slice(path.lastIndexOf("/") + 1);
	c.header("ETag", `"${etag}"`);
	c.header("Last-Modified", new Date(mtimeMs).toUTCString());
	c.header("Accept-Ranges", "bytes");
	c.header("Cache-Control", "private, no-cache");
	const seen = entityTags(c.req.header("if-none-match"), "weak");
	if (seen === "*" || seen?.includes(etag)) return c.body(null, 304);
	const range = rangeOf(c, facts);
	if (range.kind === "unsatisfiable") {
		c.header("Content-Range", `bytes */${size}`);
		throw new AppError("range_not_satisfiable", `${path} has ${size} bytes, and the range begins behind them.`);
	}
	c.header("Content-Type", contentTypeOf(path));
	c.header("Content-Disposition", asAttachment(name));
	const { offset, length } = range.kind === "part" ? range : { offset: 0, length: size };
	if (range.kind === "part") c.header("Content-Range", `bytes ${offset}-${offset + length - 1}/${size}`);
	c.header("Content-Length", String(length));
	const status = range.kind === "part" ? 206 : 200;
	if (c.req.method === "HEAD") return c.body(null, status);
	const body = answerOf(await object.readFile(context, { path, etag, range: { offset, length } }));
	return c.body(body.pipeThrough(new FixedLengthStream(length)), status);
}

/** A range is of the file that the client has seen; of any other it gets the whole (RFC 9110, section 13.1.5). */
function rangeOf(c: Context<AppEnv>, { size, etag, mtimeMs }: FileFacts): RangeVerdict {
	const condition = c.req.header("if-range");
	const holds = condition === undefined || condition === `"${etag}"` || condition === new Date(mtimeMs).toUTCString();
	return holds ? resolveRange(c.req.header("range"), size) : { kind: "whole" };
}
