import { asc, eq, gt } from "drizzle-orm";
import { AppError } from "../shared/errors";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { type Page, type PageQuery, pageOf } from "./page";
import { skills } from "./schema";

export type Skill = typeof skills.$inferSelect;

/** Makes the skill, or replaces the one of that name. */
export async function putSkill(
	db: Db,
	{ name, description, content }: Pick<Skill, "name" | "description" | "content">,
	at: Date,
): Promise<Skill> {
	const upsert = db
		.insert(skills)
		.values({ name, description, content, createdAt: at, updatedAt: at })
		.onConflictDoUpdate({ target: skills.name, set: { description, content, updatedAt: at } })
		.returning();
	const [[stored]] = await db.batch([upsert, bumpVersion(db)]);
	if (!stored) throw new Error("An upsert answered no row.");
	return stored;
}

/** Undefined when there is none of that name. */
export const findSkill = (db: Db, name: string): Promise<Skill | undefined> =>
	db.query.skills.findFirst({ where: eq(skills.name, name) });

/** Throws `not_found`. */
export async function getSkill(db: Db, name: string): Promise<Skill> {
	const skill = await findSkill(db, name);
	if (!skill) throw new AppError("not_found", `No skill ${name}.`);
	return skill;
}

/** By name, without their content. */
export async function listSkills(db: Db, { after, limit }: PageQuery): Promise<Page<Omit<Skill, "content">>> {
	const rows = await db.query.skills.findMany({
		columns: { content: false },
		where: after === undefined ? undefined : gt(skills.name, after),
		orderBy: asc(skills.name),
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => row.name);
}

/** Throws `not_found`. */
export async function deleteSkill(db: Db, name: string): Promise<void> {
	const remove = db.delete(skills).where(eq(skills.name, name)).returning({ name: skills.name });
	const [gone] = await db.batch([remove, bumpVersion(db)]);
	if (gone.length === 0) throw new AppError("not_found", `No skill ${name}.`);
}
