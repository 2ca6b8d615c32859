import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { loadSnapshot, snapshotAtHand } from "../db/snapshot";
import { lookUp, type StoredToken } from "../db/token-lookup";
import type { Deployment } from "../durable/deployment";
import { timingSafeEqual } from "../lib/hash";
import { parseJson } from "../lib/parse-json";
import { hashToken, parseToken } from "../lib/token";
import { AppError } from "../shared/errors";
import type { Principal } from "../shared/principal";

interface Identity {
	readonly principal: Principal;
	readonly defaultAgent: string | undefined;
	readonly expiresAt: Date | undefined;
	/** Of the configuration in force, where the database was asked. */
	readonly version: number | undefined;
}

/**
 * Lets only bearers of a valid token through. An API token is read together with the version of the configuration;
 * the admin's needs no database, so what its request reads first tells the version.
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
	requireSecrets(c.var.deployment);
	const presented = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
	if (!presented) throw new AppError("unauthorized", "Send a token as `Authorization: Bearer <token>`.");
	const identity = await identify(c.var.deployment, presented, Date.now());
	if (!identity) throw await refusal(c);
	c.set("principal", identity.principal);
	c.set("defaultAgent", identity.defaultAgent);
	c.set("expiresAt", identity.expiresAt);
	const d1 = c.var.db.$client;
	c.set("loadSnapshot", () => loadSnapshot(d1, identity.version));
	c.set("snapshotAtHand", identity.version === undefined ? snapshotAtHand(d1) : undefined);
	await next();
});

/** A deployment without its secrets serves nobody: a missing secret never means open. */
function requireSecrets({ adminToken, masterKey }: Deployment): void {
	// Reading the master key throws when there is none.
	if (adminToken && masterKey) return;
	throw new AppError(
		"misconfigured",
		"ORYX_ADMIN_TOKEN is not set. Set it with `wrangler secret put ORYX_ADMIN_TOKEN`.",
	);
}

async function identify(deployment: Deployment, presented: string, now: number): Promise<Identity | undefined> {
	const hash = await hashToken(presented);
	if (isSame(hash, await hashToken(deployment.adminToken ?? ""))) {
		return { principal: administrator, defaultAgent: undefined, expiresAt: undefined, version: undefined };
	}
	const parsed = parseToken(presented);
	if (!parsed) return undefined;
	const { version, token } = await lookUp(deployment.db, parsed.id);
	if (!token || !isSame(hash, token.hash)) return undefined;
	if (token.expires_at !== null && token.expires_at <= now) return undefined;
	const expiresAt = token.expires_at === null ? undefined : new Date(token.expires_at);
	return { principal: principalOf(token), defaultAgent: token.default_agent ?? undefined, expiresAt, version };
}

const administrator: Principal = { id: "admin", name: "admin", role: "admin", permissions: ["*"] };

function principalOf({ id, name, role, permissions_json }: StoredToken): Principal {
	const permissions = parseJson(permissions_json);
	return { id, name, role, permissions: permissions.ok ? z.array(z.string()).parse(permissions.value) : [] };
}

const encoder = new TextEncoder();
const isSame = (left: string, right: string) => timingSafeEqual(encoder.encode(left), encoder.encode(right));

/** A wrong token is counted against its sender, who is told to slow down after many; a right one is never limited. */
async function refusal(c: Context<AppEnv>): Promise<AppError> {
	const key = c.req.header("cf-connecting-ip") ?? "unknown";
	const { success } = await c.var.deployment.authFailures.limit({ key });
	if (success) return new AppError("unauthorized", "The token is wrong, revoked or expired.");
	return new AppError("rate_limited", "Too many wrong tokens from your address; wait a minute.", {
		details: { retryAfterSeconds: 60 },
	});
}
