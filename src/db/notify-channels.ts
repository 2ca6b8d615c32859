import { and, asc, eq, exists, gt, ne } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { AppError } from "../shared/errors";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { type Page, type PageQuery, pageOf } from "./page";
import { notifyChannels } from "./schema";

/** `url` and `secret` are sealed. */
export type NotifyChannel = typeof notifyChannels.$inferSelect;
export type ChannelFields = Pick<
	NotifyChannel,
	"type" | "url" | "urlShown" | "secret" | "description" | "config" | "enabled" | "isDefault"
>;

/** Throws `conflict` when the name is taken. A default channel takes over from the one before. */
export async function insertChannel(db: Db, name: string, fields: ChannelFields, at: Date): Promise<NotifyChannel> {
	const insert = db
		.insert(notifyChannels)
		.values({ name, ...fields, createdAt: at, updatedAt: at })
		.onConflictDoNothing()
		.returning();
	const [[made]] = await db.batch([insert, demoteOthers(db, name), bumpVersion(db)]);
	if (!made) throw new AppError("conflict", `There is a channel ${name} already; change it with PUT.`);
	return made;
}

/** Throws `not_found`. */
export async function updateChannel(db: Db, name: string, fields: ChannelFields, at: Date): Promise<NotifyChannel> {
	const update = db
		.update(notifyChannels)
		.set({ ...fields, updatedAt: at })
		.where(eq(notifyChannels.name, name))
		.returning();
	const [[changed]] = await db.batch([update, demoteOthers(db, name), bumpVersion(db)]);
	if (!changed) throw new AppError("not_found", `No channel ${name}.`);
	return changed;
}

/** At most one channel is the default: where the named one is, the others are not. */
function demoteOthers(db: Db, name: string) {
	const others = and(ne(notifyChannels.name, name), eq(notifyChannels.isDefault, true));
	const named = alias(notifyChannels, "named");
	const isDefault = db
		.select({ name: named.name })
		.from(named)
		.where(and(eq(named.name, name), eq(named.isDefault, true)));
	return db
		.update(notifyChannels)
		.set({ isDefault: false })
		.where(and(others, exists(isDefault)));
}

/** Throws `not_found`. */
export async function getChannel(db: Db, name: string): Promise<NotifyChannel> {
	const channel = await db.query.notifyChannels.findFirst({ where: eq(notifyChannels.name, name) });
	if (!channel) throw new AppError("not_found", `No channel ${name}.`);
	return channel;
}

/** By name. */
export async function listChannels(db: Db, { after, limit }: PageQuery): Promise<Page<NotifyChannel>> {
	const rows = await db.query.notifyChannels.findMany({
		where: after === undefined ? undefined : gt(notifyChannels.name, after),
		orderBy: asc(notifyChannels.name),
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => row.name);
}

/** Throws `not_found`. */
export async function deleteChannel(db: Db, name: string): Promise<void> {
	const remove = db
		.delete(notifyChannels)
		.where(eq(notifyChannels.name, name))
		.returning({ name: notifyChannels.name });
	const [gone] = await db.batch([remove, bumpVersion(db)]);
	if (gone.length === 0) throw new AppError("not_found", `No channel ${name}.`);
}

/** Notes on a channel how its last delivery went; that is no change of configuration. */
export async function noteDelivery(
	db: Db,
	name: string,
	last: { status: string; code: string | null; error: string | null; deliveredAt: Date | null },
): Promise<void> {
	await db
		.update(notifyChannels)
		.set({
			lastStatus: last.status,
			lastCode: last.code,
			lastError: last.error,
			...(last.deliveredAt && { lastDeliveredAt: last.deliveredAt }),
		})
		.where(eq(notifyChannels.name, name));
}
