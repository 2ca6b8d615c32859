export interface Patience {
	/** Without a sign of life. */
	readonly idleMs: number;
	/** Whatever signs there are. */
	readonly maxMs: number;
}

/** Passes once: after `idleMs` without a sign of life, and after `maxMs` in any case. */
export class CallDeadline {
	readonly #idleMs: number;
	readonly #endsAt: number;
	readonly #passed: () => void;
	#timer: NodeJS.Timeout | undefined;

	constructor({ idleMs, maxMs }: Patience, passed: () => void) {
		this.#idleMs = idleMs;
		this.#endsAt = performance.now() + maxMs;
		this.#passed = passed;
		this.#wait();
	}

	/** Takes note of a sign of life. */
	extend(): void {
		if (!this.#timer) return;
		clearTimeout(this.#timer);
		this.#wait();
	}

	clear(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#wait(): void {
		const left = Math.max(0, this.#endsAt - performance.now());
		this.#timer = setTimeout(
			() => {
				this.#timer = undefined;
				this.#passed();
			},
			Math.min(this.#idleMs, left),
		);
	}
}
