import type { DeliveryVerdict } from "../shared/channel";

interface Waiter extends PromiseWithResolvers<DeliveryVerdict> {
	until: number;
}

/** The callers that wait for deliveries, each no longer than its patience. */
export class ChannelWaiters {
	readonly #waiters = new Map<string, Waiter>();

	/** The verdict on a delivery; whoever waits longest for it sets the time. */
	join(id: string, until: number): Promise<DeliveryVerdict> {
		const waiter = this.#waiters.get(id) ?? { ...Promise.withResolvers<DeliveryVerdict>(), until };
		waiter.until = Math.max(waiter.until, until);
		this.#waiters.set(id, waiter);
		return waiter.promise;
	}

	answer(id: string, verdict: DeliveryVerdict): void {
		this.#waiters.get(id)?.resolve(verdict);
		this.#waiters.delete(id);
	}

	/** The deliveries whose callers do not wait until then. */
	lateFor(time: number): string[] {
		return [...this.#waiters].filter(([, { until }]) => until < time).map(([id]) => id);
	}

	rejectAll(error: unknown): void {
		for (const { reject } of this.#waiters.values()) reject(error);
		this.#waiters.clear();
	}

	get isEmpty(): boolean {
		return this.#waiters.size === 0;
	}
}
