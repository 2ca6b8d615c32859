import { rootCause } from "../lib/root-cause";
import {
	answered,
	answerLost,
	isDone,
	maxWaitMs,
	nextStep,
	type Progress,
	recovered,
	refused,
	type Step,
	sendingPart,
	verdictOf,
} from "../notify/deliver";
import { notifiers } from "../notify/index";
import type { PartVerdict } from "../notify/notifier";
import { type Pace, parkUntil, readyAt, takeToken, wakingPace } from "../notify/pace";
import type { DeliveryVerdict } from "../shared/channel";
import type { Courier } from "./channel-courier";
import type { DeliveryJob } from "./channel-job";
import type { ChannelStore, Delivery } from "./channel-store";
import { ChannelWaiters } from "./channel-waiters";
import { startDelivery } from "./start-delivery";
import { within } from "./within";

/** Time, chance and the object's alarm; a test puts its own in. */
export interface QueueClock {
	now(): number;
	/** In [0, 1). */
	random(): number;
	sleep(ms: number): Promise<void>;
	setAlarm(at: number): void;
	deleteAlarm(): void;
}

/** A caller waits this long for the outcome; after that the delivery goes on without it. */
const patienceMs = 60_000;
/** When the object looks again should its process die during a request. */
const safetyMs = 20_000;
const recordRetryMs = 60_000;
/** A fault of our own is not tried again soon: it would only repeat, and be billed. */
const faultRetryMs = 300_000;
/** A slow D1 holds up a verdict no longer than this. */
const recordPatienceMs = 1_000;
/** A repeat of an id is known for at least this long. */
const memoryMs = 7 * 86_400_000;
const pruneEveryMs = 3_600_000;

/**
 * Sends a channel's deliveries one after another; each request is stored before it goes out, and its outcome after.
 * Nothing is held in memory alone once a caller has an answer: when no caller waits for the next step, the alarm does.
 */
export class ChannelQueue {
	readonly #store: ChannelStore;
	readonly #courier: Courier;
	readonly #clock: QueueClock;
	/** In order of arrival; the first is under way. */
	readonly #open: Delivery[];
	/** Done, and not yet in D1. */
	readonly #owed = new Set<Delivery>();
	readonly #waiters = new ChannelWaiters();
	#recording: Promise<unknown> = Promise.resolve();
	#driving: Promise<void> | undefined;
	#resting = false;
	#pace: Pace | undefined;
	#alarmAt = 0;
	#prunedAt = 0;

	constructor(store: ChannelStore, courier: Courier, clock: QueueClock) {
		this.#store = store;
		this.#courier = courier;
		this.#clock = clock;
		this.#open = store.unfinished();
		for (const delivery of this.#open) {
			if (delivery.progress.phase === "sending") this.#advance(delivery, recovered(delivery.progress));
		}
	}

	/** Delivers once per id; a repeat joins the delivery under way or gets its verdict. `queued` when it takes over a minute. */
	async deliver(job: DeliveryJob): Promise<DeliveryVerdict> {
		const now = this.#clock.now();
		const isOpen = this.#open.some(({ id }) => id === job.deliveryId);
		const ended = isOpen ? undefined : this.#store.findProgress(job.deliveryId);
		if (ended) return verdictOf(ended, now);
		const turnedAway = isOpen ? undefined : this.#enter(job, now);
		const verdict = turnedAway ? this.#finish(turnedAway) : this.#waiters.join(job.deliveryId, now + patienceMs);
		void this.run();
		return await verdict;
	}

	/** Does what is due, and rests. Never rejects: who waits for a delivery is told. */
	async run(): Promise<void> {
		this.#resting = false;
		this.#driving ??= this.#drive();
		await this.#driving;
	}

	/** Puts a new delivery in the queue, or answers it when it is turned away. */
	#enter(job: DeliveryJob, now: number): Delivery | undefined {
		if (now - this.#prunedAt > pruneEveryMs) {
			this.#store.forgetBefore(now - memoryMs);
			this.#prunedAt = now;
		}
		const delivery = startDelivery(job, {
			now,
			queued: this.#open.length,
			lastSeq: this.#open.at(-1)?.seq ?? 0,
			chatId: this.#store.movedChat(job.channel.config.chatId),
		});
		if (isDone(delivery.progress)) {
			this.#store.save(delivery);
			return delivery;
		}
		// The first in line is stored with its first step, which saves a row.
		if (this.#open.push(delivery) > 1) this.#store.keep(delivery);
		return undefined;
	}

	async #drive(): Promise<void> {
		try {
			for (const delivery of this.#owed) await within(recordPatienceMs, this.#record(delivery));
			do await this.#step();
			while (!this.#resting);
		} catch (error) {
			console.error(JSON.stringify({ event: "channel-queue-failed", problem: String(rootCause(error)) }));
			this.#waiters.rejectAll(error);
			this.#arm(this.#clock.now() + faultRetryMs);
		} finally {
			this.#driving = undefined;
		}
	}

	async #step(): Promise<void> {
		const [delivery] = this.#open;
		if (!delivery) return this.#rest(this.#owed.size > 0 ? this.#clock.now() + recordRetryMs : undefined);
		const now = this.#clock.now();
		const step = nextStep(delivery.progress, now);
		if (step.kind === "done") {
			await this.#finish(delivery);
			return;
		}
		const until = step.kind === "wait" ? step.until : readyAt(this.#paceOf(delivery), rateOf(delivery), now);
		if (until > now) return await this.#wait(delivery, until);
		if (step.kind === "send") await this.#send(delivery, step);
	}

	async #send(delivery: Delivery, step: Step & { kind: "send" }): Promise<void> {
		const written = await this.#courier.write(delivery, step, new Date(this.#clock.now()));
		if ("refusal" in written) {
			const { code, message } = written.refusal;
			return this.#advance(delivery, refused(delivery.progress, code, message));
		}
		const sentAt = this.#clock.now();
		this.#pace = takeToken(this.#paceOf(delivery), rateOf(delivery), sentAt);
		this.#advance(delivery, sendingPart(delivery.progress));
		if (this.#alarmAt <= sentAt || this.#alarmAt > sentAt + safetyMs) this.#arm(sentAt + safetyMs);
		const answer = await this.#courier.send(written.letter);
		if ("lost" in answer) return this.#advance(delivery, answerLost(delivery.progress, answer.lost));
		this.#heed(delivery, answer.verdict);
		const chance = { now: this.#clock.now(), random: this.#clock.random() };
		this.#advance(delivery, answered(delivery.progress, answer.verdict, chance));
	}

	/** Keeps what an answer says about the channel itself. */
	#heed({ job }: Delivery, { retryAfterMs, resendAs }: PartVerdict): void {
		const { chatId } = job.channel.config;
		if (resendAs?.chatId !== undefined && chatId !== undefined) this.#store.moveChat(chatId, resendAs.chatId);
		if (retryAfterMs === undefined || !this.#pace) return;
		this.#pace = parkUntil(this.#pace, this.#clock.now() + Math.min(retryAfterMs, maxWaitMs));
		this.#store.parkedUntil = this.#pace.parkedUntil;
	}

	/** Sleeps while a caller waits for what comes then; otherwise leaves it to the alarm. */
	async #wait(delivery: Delivery, until: number): Promise<void> {
		this.#store.keep(delivery);
		const late = this.#waiters.lateFor(until);
		await Promise.all(late.map((id) => this.#tellQueued(id, until)));
		if (this.#waiters.isEmpty) return this.#rest(until);
		if (this.#alarmAt < until) this.#arm(until + safetyMs);
		await this.#clock.sleep(until - this.#clock.now());
	}

	async #tellQueued(id: string, until: number): Promise<void> {
		const delivery = this.#open.find((candidate) => candidate.id === id);
		if (!delivery) return;
		await within(recordPatienceMs, this.#record(delivery));
		const now = this.#clock.now();
		this.#waiters.answer(id, { ...verdictOf(delivery.progress, now), retryAfterMs: Math.max(0, until - now) });
	}

	async #finish(delivery: Delivery): Promise<DeliveryVerdict> {
		const verdict = verdictOf(delivery.progress, this.#clock.now());
		if (this.#open[0] === delivery) this.#open.shift();
		this.#owed.add(delivery);
		await within(recordPatienceMs, this.#record(delivery));
		this.#waiters.answer(delivery.id, verdict);
		return verdict;
	}

	/** Writes to D1 one after another, so that an older state never comes last. Never rejects: what fails stays owed. */
	#record(delivery: Delivery): Promise<void> {
		const write = async () => {
			const { progress } = delivery;
			await this.#courier.record(delivery, progress, this.#clock.now());
			if (!isDone(progress)) return;
			this.#owed.delete(delivery);
			this.#store.recorded(delivery.id);
		};
		const recorded = this.#recording.then(write).catch((error: unknown) => {
			console.error(
				JSON.stringify({ event: "delivery-unrecorded", id: delivery.id, problem: String(rootCause(error)) }),
			);
		});
		this.#recording = recorded;
		return recorded;
	}

	#rest(until: number | undefined): void {
		this.#resting = true;
		if (until !== undefined) {
			this.#arm(until);
			return;
		}
		this.#alarmAt = 0;
		this.#clock.deleteAlarm();
	}

	#arm(at: number): void {
		if (this.#alarmAt === at) return;
		this.#alarmAt = at;
		this.#clock.setAlarm(at);
	}

	#advance(delivery: Delivery, progress: Progress): void {
		delivery.progress = progress;
		this.#store.save(delivery);
	}

	#paceOf(delivery: Delivery): Pace {
		if (this.#pace) return this.#pace;
		const { parkedUntil } = this.#store;
		this.#pace = wakingPace(rateOf(delivery), { now: this.#clock.now(), parkedUntil });
		return this.#pace;
	}
}

const rateOf = ({ job }: Delivery) => notifiers[job.channel.type].rate;
