import { and, eq, gte, sql } from "drizzle-orm";
import type { Db } from "./client";
import { toolInvocations } from "./schema";
import { firstIdAt } from "./tool-invocations";

/** Calls of a principal since a time: all, and those of one tool. Reads only that stretch of the primary key. */
export async function countCallsSince(
	db: Db,
	{ principal, tool, since }: { principal: string; tool: string; since: Date },
): Promise<{ all: number; tool: number }> {
	const [row] = await db
		.select({ all: sql<number>`count(*)`, tool: sql<number>`coalesce(sum(${toolInvocations.toolName} = ${tool}), 0)` })
		.from(toolInvocations)
		.where(and(gte(toolInvocations.id, firstIdAt(since.getTime())), eq(toolInvocations.principal, principal)));
	return row ?? { all: 0, tool: 0 };
}
