import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "./client";
import { memories } from "./schema";

export type MemoryRow = typeof memories.$inferSelect;

/** Writes an entry once: the same id again changes nothing. */
export async function appendMemory(db: Db, entry: MemoryRow): Promise<void> {
	await db.insert(memories).values(entry).onConflictDoNothing();
}

export interface MemoryFilter {
	readonly agent: string;
	readonly principal?: string | undefined;
	readonly category?: string | undefined;
	/** Text that the content holds; letter case counts for other than ASCII letters only. */
	readonly keyword?: string | undefined;
	readonly limit: number;
}

/** Newest first. A keyword is plain text, never a pattern. */
export async function searchMemories(
	db: Db,
	{ agent, principal, category, keyword, limit }: MemoryFilter,
): Promise<MemoryRow[]> {
	return await db.query.memories.findMany({
		where: and(
			eq(memories.agent, agent),
			principal === undefined ? undefined : eq(memories.principal, principal),
			category === undefined ? undefined : eq(memories.category, category),
			keyword ? sql`instr(lower(${memories.content}), lower(${keyword})) > 0` : undefined,
		),
		orderBy: [desc(memories.createdAt), desc(memories.id)],
		limit,
	});
}
