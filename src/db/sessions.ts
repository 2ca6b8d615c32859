import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { Db } from "./client";
import { deletedTurn } from "./idempotency-keys";
import { olderThan, type Page, type PageQuery, pageOf, timeKey } from "./page";
import { idempotencyKeys, sessions } from "./schema";

export type SessionHead = typeof sessions.$inferSelect;

/** Stores what the list of sessions shows; a repeat after a crash is harmless. */
export async function upsertSession(db: Db, session: SessionHead): Promise<void> {
	const { title, turns, updatedAt } = session;
	await db
		.insert(sessions)
		.values(session)
		.onConflictDoUpdate({ target: sessions.id, set: { title, turns, updatedAt } });
}

export const findSession = (db: Db, id: string): Promise<SessionHead | undefined> =>
	db.query.sessions.findFirst({ where: eq(sessions.id, id) });

export interface SessionFilter extends PageQuery {
	readonly agent?: string | undefined;
	/** Only the sessions of this principal. */
	readonly principal?: string | undefined;
}

/** The last used first. */
export async function listSessions(
	db: Db,
	{ after, limit, agent, principal }: SessionFilter,
): Promise<Page<SessionHead>> {
	const rows = await db.query.sessions.findMany({
		where: and(
			agent === undefined ? undefined : eq(sessions.agent, agent),
			principal === undefined ? undefined : eq(sessions.principal, principal),
			after === undefined ? undefined : olderThan(after, sessions.updatedAt, sessions.id),
		),
		orderBy: [desc(sessions.updatedAt), desc(sessions.id)],
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => timeKey(row.updatedAt, row.id));
}

/** Forgets a session, and that its keys began turns that still are. */
export async function deleteSession(db: Db, id: string): Promise<void> {
	const { turnId } = idempotencyKeys;
	// A turn's id is `<session>.<suffix>`, and "/" comes right after ".".
	const isOfSession = and(gte(turnId, `${id}.`), lt(turnId, `${id}/`));
	await db.batch([
		db.delete(sessions).where(eq(sessions.id, id)),
		db.update(idempotencyKeys).set({ turnId: deletedTurn }).where(isOfSession),
	]);
}
