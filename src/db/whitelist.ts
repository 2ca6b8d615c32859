import { and, asc, eq } from "drizzle-orm";
import type { Whitelist, WhitelistCategory } from "../shared/whitelist";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { sandboxWhitelist } from "./schema";

export interface WhitelistChange {
	/** False when the list already was as asked. */
	readonly changed: boolean;
	/** The whole list afterwards. */
	readonly entries: readonly string[];
}

/** All three lists, each in alphabetical order. */
export async function readWhitelist(db: Db): Promise<Whitelist> {
	const rows = await db.select().from(sandboxWhitelist).orderBy(asc(sandboxWhitelist.value));
	return whitelistOf(rows);
}

export function whitelistOf(rows: readonly { category: WhitelistCategory; value: string }[]): Whitelist {
	const entries = (category: WhitelistCategory) =>
		rows.filter((row) => row.category === category).map((row) => row.value);
	return { FILE: entries("FILE"), SHELL: entries("SHELL"), HTTP: entries("HTTP") };
}

/** Takes a normalised entry. */
export async function addEntry(db: Db, category: WhitelistCategory, value: string, at: Date): Promise<WhitelistChange> {
	const insert = db
		.insert(sandboxWhitelist)
		.values({ category, value, createdAt: at })
		.onConflictDoNothing()
		.returning({ value: sandboxWhitelist.value });
	const [added, rows] = await db.batch([insert, entriesOf(db, category), bumpVersion(db)]);
	return { changed: added.length > 0, entries: rows.map((row) => row.value) };
}

/** Takes an entry as it stands in the list. */
export async function removeEntry(db: Db, category: WhitelistCategory, value: string): Promise<WhitelistChange> {
	const remove = db
		.delete(sandboxWhitelist)
		.where(and(eq(sandboxWhitelist.category, category), eq(sandboxWhitelist.value, value)))
		.returning({ value: sandboxWhitelist.value });
	const [removed, rows] = await db.batch([remove, entriesOf(db, category), bumpVersion(db)]);
	return { changed: removed.length > 0, entries: rows.map((row) => row.value) };
}

const entriesOf = (db: Db, category: WhitelistCategory) =>
	db
		.select({ value: sandboxWhitelist.value })
		.from(sandboxWhitelist)
		.where(eq(sandboxWhitelist.category, category))
		.orderBy(asc(sandboxWhitelist.value));
