import { Hono } from "hono";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { deleteToken, getToken, insertToken, listTokens } from "../db/tokens";
import { newToken } from "../lib/token";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import { userPermissions } from "../shared/permissions";
import { hasPermission, type Principal } from "../shared/principal";
import type { Snapshot } from "../shared/snapshot";
import { madeToken, newTokenRequest, tokenView } from "../shared/token";
import { withExample } from "./described";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "tokens";

export const tokens = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "List API tokens", permission: "token:list", answers: { 200: pageOf(tokenView) } }),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			return c.json(answerPage(await listTokens(c.var.db, { after, limit }), (token) => token));
		},
	)
	.post(
		"/",
		operation({
			tag,
			summary: "Make an API token",
			description:
				"The answer is the only place where the token itself is ever shown. It can hold no more than its maker does.",
			permission: "token:edit",
			answers: { 201: madeToken },
		}),
		validate(
			"json",
			withExample(newTokenRequest, { name: "nightly report", permissions: ["turn:create", "session:own"] }),
		),
		async (c) => {
			const request = c.req.valid("json");
			const permissions = grantedTo(request, c.var.principal);
			await requireAgent(request.defaultAgent, c.var.loadSnapshot);
			const createdAt = new Date();
			const expiresAt = expiryOf(request.expiresAt, c.var.expiresAt, createdAt);
			const { id, token, hash } = await newToken();
			const { name, role, defaultAgent = null } = request;
			const head = { id, name, role, permissions, defaultAgent, createdAt, expiresAt };
			await insertToken(c.var.db, { ...head, hash });
			return c.json({ ...head, token }, 201);
		},
	)
	.delete(
		"/:id",
		operation({
			tag,
			summary: "Revoke an API token",
			description: "It is refused from the next request on. A token with more rights than one's own cannot be revoked.",
			permission: "token:edit",
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found"],
		}),
		async (c) => {
			const { id, permissions } = await getToken(c.var.db, c.req.param("id"));
			requireHeld(permissions, c.var.principal, "You cannot revoke a token that holds what your own does not");
			await deleteToken(c.var.db, id);
			return c.body(null, 204);
		},
	);

/** Throws `invalid_input` for the name of an agent that there is not, which would make every call of the token a 404. */
async function requireAgent(name: string | undefined, loadSnapshot: () => Promise<Snapshot>): Promise<void> {
	if (name === undefined || (await loadSnapshot()).agents.has(name)) return;
	throw new AppError("invalid_input", `defaultAgent: there is no agent ${name}; GET /api/v1/agents lists them.`);
}

/** The new token's permissions. Throws `forbidden` when its maker does not hold one of them: nobody can make himself greater. */
function grantedTo({ role, permissions }: z.output<typeof newTokenRequest>, maker: Principal): string[] {
	const wanted = role === "admin" ? ["*"] : (permissions ?? userPermissions);
	requireHeld(wanted, maker, "You cannot give what your own token does not hold");
	return [...new Set(wanted)];
}

function requireHeld(permissions: readonly string[], principal: Principal, refusal: string): void {
	const missing = permissions.filter((permission) => !hasPermission(principal, permission));
	if (missing.length > 0) throw new AppError("forbidden", `${refusal}: ${missing.join(", ")}.`);
}

/** The new token's end: no later than its maker's own, which is also what it gets when none is asked for. */
function expiryOf(wanted: Date | undefined, makers: Date | undefined, now: Date): Date | null {
	if (wanted && wanted <= now) throw new AppError("invalid_input", "expiresAt: it has passed already.");
	if (wanted && makers && wanted > makers) {
		throw new AppError("forbidden", `expiresAt: your own token ends at ${makers.toISOString()}; take no later time.`);
	}
	return wanted ?? makers ?? null;
}
