import { and, asc, eq, gt } from "drizzle-orm";
import type { AgentProfile } from "../shared/agent";
import { AppError } from "../shared/errors";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { type Page, type PageQuery, pageOf } from "./page";
import { agents } from "./schema";

export type Agent = typeof agents.$inferSelect;

const rowOf = (profile: AgentProfile, at: Date) => ({
	name: profile.name,
	description: profile.description,
	profile,
	createdAt: at,
	updatedAt: at,
});

/** Throws `conflict` when the name is taken. */
export async function insertAgent(db: Db, profile: AgentProfile, at: Date): Promise<Agent> {
	const insert = db.insert(agents).values(rowOf(profile, at)).onConflictDoNothing().returning();
	const [[made]] = await db.batch([insert, bumpVersion(db)]);
	if (!made) throw new AppError("conflict", `There is an agent ${profile.name} already; change it with PUT or PATCH.`);
	return made;
}

/** Makes the agent, or replaces the one of that name. */
export async function putAgent(db: Db, profile: AgentProfile, at: Date): Promise<Agent> {
	const { createdAt: _, ...change } = rowOf(profile, at);
	const upsert = db
		.insert(agents)
		.values(rowOf(profile, at))
		.onConflictDoUpdate({ target: agents.name, set: change })
		.returning();
	const [[stored]] = await db.batch([upsert, bumpVersion(db)]);
	if (!stored) throw new Error("An upsert answered no row.");
	return stored;
}

/** Writes a changed profile over the one that was `seen`. Throws `conflict` when somebody was faster. */
export async function changeAgent(db: Db, seen: Agent, profile: AgentProfile, at: Date): Promise<Agent> {
	// Strictly later than what was seen, so that two changes within a millisecond differ.
	const updatedAt = new Date(Math.max(at.getTime(), seen.updatedAt.getTime() + 1));
	const update = db
		.update(agents)
		.set({ description: profile.description, profile, updatedAt })
		.where(and(eq(agents.name, seen.name), eq(agents.updatedAt, seen.updatedAt)))
		.returning();
	const [[changed]] = await db.batch([update, bumpVersion(db)]);
	if (!changed) throw new AppError("conflict", `Agent ${seen.name} was changed meanwhile; read it and try again.`);
	return changed;
}

/** Throws `not_found`. */
export async function getAgent(db: Db, name: string): Promise<Agent> {
	const agent = await db.query.agents.findFirst({ where: eq(agents.name, name) });
	if (!agent) throw new AppError("not_found", `No agent ${name}.`);
	return agent;
}

/** By name. */
export async function listAgents(db: Db, { after, limit }: PageQuery): Promise<Page<Agent>> {
	const rows = await db.query.agents.findMany({
		where: after === undefined ? undefined : gt(agents.name, after),
		orderBy: asc(agents.name),
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => row.name);
}

/** Throws `not_found`. */
export async function deleteAgent(db: Db, name: string): Promise<void> {
	const remove = db.delete(agents).where(eq(agents.name, name)).returning({ name: agents.name });
	const [gone] = await db.batch([remove, bumpVersion(db)]);
	if (gone.length === 0) throw new AppError("not_found", `No agent ${name}.`);
}
