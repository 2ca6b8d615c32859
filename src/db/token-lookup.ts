import * as z from "zod";
import type { Db } from "./client";
import { databaseError, unmigrated } from "./database-error";

const storedToken = z.object({
	id: z.string(),
	name: z.string(),
	hash: z.string(),
	role: z.enum(["admin", "user"]),
	permissions_json: z.string(),
	default_agent: z.string().nullable(),
	expires_at: z.number().nullable(),
});
export type StoredToken = z.output<typeof storedToken>;

export interface TokenLookup {
	/** Of the configuration in force now. */
	readonly version: number;
	readonly token: StoredToken | undefined;
}

/** Reads nothing but the version of the configuration. */
export const versionStatement = (db: Db) => db.$client.prepare("SELECT version FROM config_version WHERE id = 1");

const versionAndToken = `
	SELECT version, tokens.id, name, hash, role, permissions_json, default_agent, expires_at
	FROM config_version LEFT JOIN tokens ON tokens.id = ? WHERE config_version.id = 1`;

/**
 * Reads the version of the configuration and, for an `id`, its token, in one round trip: a request begins with it.
 * Throws `misconfigured` when the migrations have not been applied, `unavailable` when D1 does not answer.
 */
export async function lookUp(db: Db, id: string | undefined): Promise<TokenLookup> {
	const statement = id === undefined ? versionStatement(db) : db.$client.prepare(versionAndToken).bind(id);
	const row = await statement.first().catch((error: unknown) => {
		throw databaseError(error) ?? error;
	});
	if (!row) throw unmigrated();
	return { version: Number(row.version), token: row.id ? storedToken.parse(row) : undefined };
}
