import { type SettingsDocument, settingsDocument } from "../shared/settings";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { settings } from "./schema";

/** The settings in force; the defaults where none were stored. */
export async function readSettings(db: Db): Promise<SettingsDocument> {
	return settingsOf(await db.select().from(settings));
}

/** Throws when the rows make no document. */
export const settingsOf = (rows: readonly { key: string; value: unknown }[]): SettingsDocument =>
	settingsDocument.parse(Object.fromEntries(rows.map((row) => [row.key, row.value])));

/** Replaces the settings as a whole. */
export async function writeSettings(db: Db, document: SettingsDocument): Promise<void> {
	const rows = Object.entries(document).map(([key, value]) => ({ key, value }));
	await db.batch([db.delete(settings), db.insert(settings).values(rows), bumpVersion(db)]);
}
