import { type Progress, refused, startProgress } from "../notify/deliver";
import { notifiers } from "../notify/index";
import type { DeliveryJob } from "./channel-job";
import type { Delivery } from "./channel-store";

/** UTF-16 units; a stored delivery stays below the 2 MB of a row however it is escaped. */
const maxContentLength = 150_000;
const maxParts = 64;
const maxQueued = 100;

export interface Arrival {
	readonly now: number;
	/** How many deliveries are before this one, and the number of the last. */
	readonly queued: number;
	readonly lastSeq: number;
	/** Where the channel's chat has moved to. */
	readonly chatId: string | undefined;
}

/** Cuts a notice into parts and gives it its place; what cannot be taken in comes out as failed. */
export function startDelivery(job: DeliveryJob, { now, queued, lastSeq, chatId }: Arrival): Delivery {
	const { notice, channel, deliveryId } = job;
	const { length } = notice.content;
	const fits = length <= maxContentLength;
	const parts = fits ? notifiers[channel.type].split(notice, channel.config) : [];
	const form = chatId === undefined ? undefined : { chatId };
	const progress = judge({ ...startProgress(parts.length), form }, { length, queued });
	const kept = fits ? job : { ...job, notice: { ...notice, content: notice.content.slice(0, maxContentLength) } };
	return { id: deliveryId, seq: lastSeq + 1, at: now, job: kept, parts, progress };
}

function judge(progress: Progress, { length, queued }: { length: number; queued: number }): Progress {
	if (length > maxContentLength) {
		return refused(progress, "too_long", `The text has ${length} characters; at most ${maxContentLength} are sent.`);
	}
	if (progress.partsTotal > maxParts) {
		const parts = `The text needs ${progress.partsTotal} messages on this channel; at most ${maxParts} are sent.`;
		return refused(progress, "too_long", `${parts} Shorten it.`);
	}
	if (queued < maxQueued) return progress;
	return refused(
		progress,
		"queue_full",
		`${queued} deliveries are waiting on this channel. Try again when some have gone.`,
	);
}
