import type { Context } from "hono";
import type { AppEnv } from "../app-env";
import { AppError } from "../shared/errors";
import { sessionIdSchema } from "../shared/names";

/** The object of a session. Throws `not_found` for what no session can be called. */
export function sessionStub(c: Context<AppEnv>, sessionId: string) {
	if (!sessionIdSchema.safeParse(sessionId).success)
		throw new AppError("not_found", `No session ${sessionId.slice(0, 128)}.`);
	return c.var.deployment.sessions.getByName(sessionId);
}

/** A turn's id is `<session>.<suffix>`. */
export const sessionOf = (turnId: string) => turnId.slice(0, Math.max(0, turnId.indexOf(".")));
