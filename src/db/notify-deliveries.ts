import { and, desc, eq } from "drizzle-orm";
import type { Db } from "./client";
import { olderThan, type Page, type PageQuery, pageOf, timeKey } from "./page";
import { notifyDeliveries } from "./schema";

export type Delivery = typeof notifyDeliveries.$inferSelect;

/** Stores a delivery, or what became of it meanwhile; the same id is the same delivery. */
export async function upsertDelivery(db: Db, delivery: Delivery): Promise<void> {
	const { verdict, status, updatedAt } = delivery;
	await db
		.insert(notifyDeliveries)
		.values(delivery)
		.onConflictDoUpdate({ target: notifyDeliveries.id, set: { verdict, status, updatedAt } });
}

/** Newest first. */
export async function listDeliveries(db: Db, channel: string, { after, limit }: PageQuery): Promise<Page<Delivery>> {
	const { createdAt, id } = notifyDeliveries;
	const rows = await db.query.notifyDeliveries.findMany({
		where: and(
			eq(notifyDeliveries.channel, channel),
			after === undefined ? undefined : olderThan(after, createdAt, id),
		),
		orderBy: [desc(createdAt), desc(id)],
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => timeKey(row.createdAt, row.id));
}
