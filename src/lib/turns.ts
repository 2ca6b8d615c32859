/** Lets one at a time have a thing, by name, in the order in which they asked. */
export class Turns {
	/** The end of each line. */
	readonly #last = new Map<string, Promise<void>>();

	/** Waits for the thing; disposing of the answer hands it on. Throws the reason when `signal` aborts first. */
	async take(name: string, signal: AbortSignal): Promise<Disposable> {
		const before = this.#last.get(name) ?? Promise.resolve();
		const { promise, resolve } = Promise.withResolvers<void>();
		const last = before.then(() => promise);
		this.#last.set(name, last);
		void last.then(() => {
			if (this.#last.get(name) === last) this.#last.delete(name);
		});
		try {
			await unlessAborted(before, signal);
		} catch (error) {
			resolve();
			throw error;
		}
		return { [Symbol.dispose]: resolve };
	}
}

async function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	const { promise, reject } = Promise.withResolvers<never>();
	const abort = () => reject(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	try {
		await Promise.race([turn, promise]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}
