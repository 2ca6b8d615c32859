const firstDelayMs = 250;
const maxDelayMs = 60_000;
/** So many starts in a row without one answer, and the next is tried only after a while. */
const startsBeforeBreak = 5;
const breakMs = 300_000;
/** Whoever lived so long starts with a clean slate. */
const soundLifeMs = 60_000;

/** When a server that failed may be started again. */
export class Backoff {
	#failures = 0;
	#silentStarts = 0;
	#notBefore = 0;

	/** Takes note of the end of a process that nobody asked to end. */
	failed({ hasAnswered, livedMs, now }: { hasAnswered: boolean; livedMs: number; now: number }): void {
		this.#failures = livedMs >= soundLifeMs ? 1 : this.#failures + 1;
		this.#silentStarts = hasAnswered ? 0 : this.#silentStarts + 1;
		const delay = Math.min(firstDelayMs * 2 ** (this.#failures - 1), maxDelayMs);
		this.#notBefore = now + (this.isBroken ? breakMs : delay);
	}

	/** True when it is no use to try. */
	get isBroken(): boolean {
		return this.#silentStarts >= startsBeforeBreak;
	}

	waitMs(now: number): number {
		return Math.max(0, this.#notBefore - now);
	}

	clear(): void {
		this.#failures = 0;
		this.#silentStarts = 0;
		this.#notBefore = 0;
	}
}
