import { and, desc, eq, lt } from "drizzle-orm";
import { chunk } from "./chunk";
import type { Db } from "./client";
import { type Page, type PageQuery, pageOf } from "./page";
import { llmCalls } from "./schema";

export type LlmCall = typeof llmCalls.$inferSelect;

/** A flush that is repeated after a crash changes nothing: a call's row is written once. */
export async function insertLlmCalls(db: Db, rows: readonly LlmCall[]): Promise<void> {
	const [first, ...rest] = chunk(rows, 17).map((part) => db.insert(llmCalls).values(part).onConflictDoNothing());
	if (first) await db.batch([first, ...rest]);
}

/** Newest first. */
export async function listLlmCalls(
	db: Db,
	{ after, limit, sessionId }: PageQuery & { sessionId?: string | undefined },
): Promise<Page<LlmCall>> {
	const rows = await db.query.llmCalls.findMany({
		where: and(
			after === undefined ? undefined : lt(llmCalls.id, after),
			sessionId === undefined ? undefined : eq(llmCalls.sessionId, sessionId),
		),
		orderBy: desc(llmCalls.id),
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => row.id);
}
