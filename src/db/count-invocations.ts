import { and, eq, gte, inArray, ne, sql } from "drizzle-orm";
import type { Db } from "./client";
import { toolInvocations } from "./schema";
import { firstIdAt, type Invocation } from "./tool-invocations";

/**
 * Stores the intent of a call and counts the other calls of its principal since a time: all, and those of the tools named.
 * In one transaction, so that of many at once each sees those before it. Reads only that stretch of the primary key.
 */
export async function countCallsSince(
	db: Db,
	{ intent, tools, since }: { intent: Invocation; tools: readonly string[]; since: Date },
): Promise<{ all: number; tool: number }> {
	const claim = db.insert(toolInvocations).values(intent).onConflictDoNothing();
	const count = db
		.select({
			all: sql<number>`count(*)`,
			tool: sql<number>`coalesce(sum(${inArray(toolInvocations.toolName, [...tools])}), 0)`,
		})
		.from(toolInvocations)
		.where(
			and(
				gte(toolInvocations.id, firstIdAt(since.getTime())),
				eq(toolInvocations.principal, intent.principal),
				ne(toolInvocations.id, intent.id),
			),
		);
	const [, [row]] = await db.batch([claim, count]);
	return row ?? { all: 0, tool: 0 };
}
