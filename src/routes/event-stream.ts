import type { Context } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { AppError } from "../shared/errors";

/** The OpenAPI description of an event stream. */
export const eventStreamAnswer = {
	"text/event-stream": z
		.string()
		.describe("`id` is the event's number, `event` its type, `data` JSON with `turnId`. Resume with Last-Event-ID."),
};

/** Hands a session's events to the client; undefined stands for a session that the caller may not see. */
export function eventStream(c: Context<AppEnv>, events: ReadableStream<Uint8Array> | undefined): Response {
	if (!events) throw new AppError("not_found", "No such session.");
	c.header("Content-Type", "text/event-stream; charset=utf-8");
	c.header("Cache-Control", "no-cache, no-transform");
	return c.body(events, 200);
}
