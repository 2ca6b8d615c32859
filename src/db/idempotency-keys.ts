import { and, eq, lt } from "drizzle-orm";
import type { Db } from "./client";
import { idempotencyKeys } from "./schema";

export type KeyRow = typeof idempotencyKeys.$inferSelect;

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

/** Gives a claim back whose turn was refused: the same request may be made again under its key. */
export async function releaseKey(db: Db, { principal, key, turnId }: KeyRow): Promise<void> {
	const { principal: owner, key: name, turnId: claimed } = idempotencyKeys;
	await db.delete(idempotencyKeys).where(and(eq(owner, principal), eq(name, key), eq(claimed, turnId)));
}

/** The turn of a key whose session was deleted: the key stands, so that a late repeat does not begin the turn once more. */
export const deletedTurn = "";

/** One claim in 64: the table has no index by time, and none is worth a write with each claim. */
const isPruningTime = (at: Date) => at.getTime() % 64 === 0;

async function pruneKeys(db: Db, now: Date): Promise<void> {
	await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now.getTime() - keptMs)));
}
