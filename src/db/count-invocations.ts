import { and, eq, gte, inArray, sql } from "drizzle-orm";
import type { Db } from "./client";
import { toolInvocations } from "./schema";
import { firstIdAt } from "./tool-invocations";

/** Calls of a principal since a time: all, and those of the tools named. Reads only that stretch of the primary key. */
export async function countCallsSince(
	db: Db,
	{ principal, tools, since }: { principal: string; tools: readonly string[]; since: Date },
): Promise<{ all: number; tool: number }> {
	const [row] = await db
		.select({
			all: sql<number>`count(*)`,
			tool: sql<number>`coalesce(sum(${inArray(toolInvocations.toolName, [...tools])}), 0)`,
		})
		.from(toolInvocations)
		.where(and(gte(toolInvocations.id, firstIdAt(since.getTime())), eq(toolInvocations.principal, principal)));
	return row ?? { all: 0, tool: 0 };
}
