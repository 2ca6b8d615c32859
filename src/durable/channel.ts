import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";
import type { DeliveryVerdict } from "../shared/channel";
import { courier } from "./channel-courier";
import type { DeliveryJob } from "./channel-job";
import { ChannelQueue } from "./channel-queue";
import { ChannelStore } from "./channel-store";
import { deploymentOf } from "./deployment";

/** One notify channel, by its name: its deliveries in order, at the provider's pace, each at most once. */
export class ChannelObject extends DurableObject<Env> {
	/** How the object reaches the world; a test puts its own in. */
	readonly outside = {
		fetch: (url: string, init: RequestInit) => fetch(url, init),
		now: () => Date.now(),
		random: () => Math.random(),
		sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
	};
	readonly #queue: ChannelQueue;

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		const { outside } = this;
		this.#queue = new ChannelQueue(
			new ChannelStore(ctx.storage),
			courier(deploymentOf(env), (url, init) => outside.fetch(url, init)),
			{
				now: () => outside.now(),
				random: () => outside.random(),
				sleep: (ms) => outside.sleep(ms),
				setAlarm: (at) => void ctx.storage.setAlarm(at),
				deleteAlarm: () => void ctx.storage.deleteAlarm(),
			},
		);
	}

	/** Delivers once per id and answers how it went; `queued` when that takes longer than a minute. */
	async deliver(job: DeliveryJob): Promise<DeliveryVerdict> {
		return await this.#queue.deliver(job);
	}

	override async alarm(): Promise<void> {
		await this.#queue.run();
	}
}
