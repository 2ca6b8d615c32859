import type { Db } from "../db/client";
import { noteDelivery } from "../db/notify-channels";
import { upsertDelivery } from "../db/notify-deliveries";
import type { Redactor } from "../lib/redact";
import { truncateChars } from "../lib/text";
import { verdictOf } from "../notify/deliver";
import type { Delivery } from "./channel-store";

const maxContentLength = 20_000;

/** Writes to D1 how a delivery stands, in its list and on its channel. Writing it again changes nothing. */
export async function recordDelivery(
	{ db, redactor, now }: { db: Db; redactor: Redactor; now: number },
	{ id, at, job, progress }: Delivery,
): Promise<void> {
	const verdict = verdictOf(progress, now);
	const content = redactor.redact(job.notice.content.toWellFormed());
	const row = {
		id,
		channel: job.channel.name,
		sessionId: job.sessionId ?? null,
		agent: job.agent ?? null,
		content: truncateChars(content, maxContentLength),
		verdict,
		status: verdict.status,
		createdAt: new Date(at),
		updatedAt: new Date(now),
	};
	const last = {
		status: verdict.status,
		code: verdict.providerCode ?? null,
		error: verdict.ok ? null : (verdict.providerMessage ?? null),
		deliveredAt: verdict.ok ? new Date(now) : null,
	};
	await Promise.all([upsertDelivery(db, row), noteDelivery(db, job.channel.name, last)]);
}
