import { and, eq, lt } from "drizzle-orm";
import type { Db } from "./client";
import { idempotencyKeys } from "./schema";

type KeyRow = typeof idempotencyKeys.$inferSelect;

const keptMs = 48 * 3_600_000;

/**
 * Claims a key for a turn; of two at once, one wins. Answers the row that stands:
 * the claim was won when its `turnId` is the one given, and another `bodyDigest` means another request.
 */
export async function claimKey(db: Db, claim: KeyRow): Promise<KeyRow> {
	const { principal, key, createdAt } = claim;
	const insert = db.insert(idempotencyKeys).values(claim).onConflictDoNothing();
	const read = db
		.select()
		.from(idempotencyKeys)
		.where(and(eq(idempotencyKeys.principal, principal), eq(idempotencyKeys.key, key)));
	const [, [stands]] = await db.batch([insert, read]);
	if (!stands) throw new Error("A claimed key is not there.");
	if (isPruningTime(createdAt)) await pruneKeys(db, createdAt);
	return stands;
}

/** One claim in 64: the table has no index by time, and none is worth a write with each claim. */
const isPruningTime = (at: Date) => at.getTime() % 64 === 0;

async function pruneKeys(db: Db, now: Date): Promise<void> {
	await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now.getTime() - keptMs)));
}
