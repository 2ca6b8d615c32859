export interface Patience {
	/** Without a sign of life. */
	readonly idleMs: number;
	/** Whatever signs there are. */
	readonly maxMs: number;
}

/** Passes once: after `idleMs` without a sign of life, and after `maxMs` in any case. */
export class CallDeadline {
	readonly #patience: Patience;
	readonly #passed: () => void;
	readonly #lastAt: number;
	#timer: NodeJS.Timeout;

	constructor(patience: Patience, passed: () => void) {
		this.#patience = patience;
		this.#passed = passed;
		this.#lastAt = performance.now() + patience.maxMs;
		this.#timer = setTimeout(passed, Math.min(patience.idleMs, patience.maxMs));
	}

	/** Takes note of a sign of life. */
	extend(): void {
		clearTimeout(this.#timer);
		const left = Math.max(0, this.#lastAt - performance.now());
		this.#timer = setTimeout(this.#passed, Math.min(this.#patience.idleMs, left));
	}

	clear(): void {
		clearTimeout(this.#timer);
	}
}
