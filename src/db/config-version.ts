import { eq, sql } from "drizzle-orm";
import type { Db } from "./client";
import { configVersion } from "./schema";

/** The statement that every change of configuration carries in its batch, so that all isolates reload. */
export const bumpVersion = (db: Db) =>
	db
		.update(configVersion)
		.set({ version: sql`${configVersion.version} + 1` })
		.where(eq(configVersion.id, 1));
