import { and, desc, eq, gte, lt } from "drizzle-orm";
import { AppError } from "../shared/errors";
import type { Db } from "./client";
import { type Page, type PageQuery, pageOf } from "./page";
import { toolInvocations } from "./schema";

export type Invocation = typeof toolInvocations.$inferSelect;

export interface InvocationFilter {
	readonly tool?: string | undefined;
	readonly agent?: string | undefined;
	readonly sessionId?: string | undefined;
	readonly principal?: string | undefined;
	readonly success?: boolean | undefined;
	readonly since?: Date | undefined;
	/** Up to and including this millisecond. */
	readonly until?: Date | undefined;
}

/** Newest first: an id is a UUIDv7, so the primary key serves the order and the range of time. */
export async function listInvocations(
	db: Db,
	{ after, limit, ...filter }: InvocationFilter & PageQuery,
): Promise<Page<Invocation>> {
	const rows = await db.query.toolInvocations.findMany({
		where: and(...conditions(filter), after === undefined ? undefined : lt(toolInvocations.id, after)),
		orderBy: desc(toolInvocations.id),
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => row.id);
}

/** Throws `not_found`, also for a row of another principal where one is given. */
export async function getInvocation(db: Db, id: string, principal?: string): Promise<Invocation> {
	const where = and(eq(toolInvocations.id, id), ...conditions({ principal }));
	const invocation = await db.query.toolInvocations.findFirst({ where });
	if (!invocation) throw new AppError("not_found", `No invocation ${id}.`);
	return invocation;
}

/** All rows, newest first, read page by page as they are asked for. */
export async function* scanInvocations(db: Db, filter: InvocationFilter): AsyncGenerator<readonly Invocation[]> {
	let after: string | undefined;
	do {
		const page = await listInvocations(db, { ...filter, after, limit: 200 });
		yield page.items;
		after = page.next;
	} while (after !== undefined);
}

const conditions = ({ tool, agent, sessionId, principal, success, since, until }: InvocationFilter) => [
	tool === undefined ? undefined : eq(toolInvocations.toolName, tool),
	agent === undefined ? undefined : eq(toolInvocations.agent, agent),
	sessionId === undefined ? undefined : eq(toolInvocations.sessionId, sessionId),
	principal === undefined ? undefined : eq(toolInvocations.principal, principal),
	success === undefined ? undefined : eq(toolInvocations.success, success),
	since === undefined ? undefined : gte(toolInvocations.id, firstIdAt(since.getTime())),
	until === undefined ? undefined : lt(toolInvocations.id, firstIdAt(until.getTime() + 1)),
];

/** Sorts before every UUIDv7 of that millisecond and after those of earlier ones. */
export function firstIdAt(ms: number): string {
	const hex = Math.max(0, ms).toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
