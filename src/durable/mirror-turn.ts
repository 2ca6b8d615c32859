import type { Turns } from "../lib/turns";

/**
 * One command line's turn on a mirror: taken by its first program, kept until what the line changed is in force, so that the
 * next line's programs begin with it.
 */
export class MirrorTurn implements Disposable {
	readonly #turns: Turns;
	readonly #mirror: string;
	#taken: Promise<Disposable> | undefined;

	constructor(turns: Turns, mirror: string) {
		this.#turns = turns;
		this.#mirror = mirror;
	}

	/** Waits until those before have ended; throws the reason when `signal` aborts first. */
	async take(signal: AbortSignal): Promise<void> {
		this.#taken ??= this.#turns.take(this.#mirror, signal);
		await this.#taken;
	}

	[Symbol.dispose](): void {
		this.#taken?.then(
			(turn) => turn[Symbol.dispose](),
			() => {},
		);
	}
}
