import { asc, eq, gt } from "drizzle-orm";
import { AppError } from "../shared/errors";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { type Page, type PageQuery, pageOf } from "./page";
import { secrets } from "./schema";

/** What may be told of a secret: never its value, sealed or not. */
export type SecretHead = Omit<typeof secrets.$inferSelect, "value">;

const head = { name: secrets.name, hint: secrets.hint, createdAt: secrets.createdAt, updatedAt: secrets.updatedAt };

/** Stores a sealed value, over one of that name. */
export async function putSecret(
	db: Db,
	{ name, value, hint }: { name: string; value: string; hint: string },
	at: Date,
): Promise<SecretHead> {
	const upsert = db
		.insert(secrets)
		.values({ name, value, hint, createdAt: at, updatedAt: at })
		.onConflictDoUpdate({ target: secrets.name, set: { value, hint, updatedAt: at } })
		.returning(head);
	const [[stored]] = await db.batch([upsert, bumpVersion(db)]);
	if (!stored) throw new Error("An upsert answered no row.");
	return stored;
}

/** Throws `not_found`. */
export async function getSecret(db: Db, name: string): Promise<SecretHead> {
	const secret = await db.select(head).from(secrets).where(eq(secrets.name, name)).get();
	if (!secret) throw new AppError("not_found", `No secret ${name}.`);
	return secret;
}

/** Whether anything is stored that does not begin with the prefix of the key in force. */
export async function isSealedOtherwise(db: Db, prefix: string): Promise<boolean> {
	const others = `
		SELECT 1 FROM secrets WHERE substr(value, 1, length(?1)) <> ?1
		UNION ALL SELECT 1 FROM notify_channels WHERE substr(url, 1, length(?1)) <> ?1 LIMIT 1`;
	return (await db.$client.prepare(others).bind(prefix).first()) !== null;
}

/** By name. */
export async function listSecrets(db: Db, { after, limit }: PageQuery): Promise<Page<SecretHead>> {
	const where = after === undefined ? undefined : gt(secrets.name, after);
	const rows = await db
		.select(head)
		.from(secrets)
		.where(where)
		.orderBy(asc(secrets.name))
		.limit(limit + 1);
	return pageOf(rows, limit, (row) => row.name);
}

/** Throws `not_found`. */
export async function deleteSecret(db: Db, name: string): Promise<void> {
	const remove = db.delete(secrets).where(eq(secrets.name, name)).returning({ name: secrets.name });
	const [gone] = await db.batch([remove, bumpVersion(db)]);
	if (gone.length === 0) throw new AppError("not_found", `No secret ${name}.`);
}
