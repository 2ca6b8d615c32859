/** What is under way: counted for `/health`, waited for when the runner drains, ended when it must stop. */
export class Work {
	readonly #stop = new AbortController();
	readonly #running = new Set<Promise<unknown>>();
	#draining = false;

	get isDraining(): boolean {
		return this.#draining;
	}

	get count(): number {
		return this.#running.size;
	}

	/** Aborted when the runner waits no longer. */
	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	/** Counts `task` until it ends, however it ends. */
	add(task: Promise<unknown>): void {
		const counted = task.then(
			() => {},
			() => {},
		);
		this.#running.add(counted);
		void counted.then(() => this.#running.delete(counted));
	}

	/** Takes nothing new and waits up to `graceMs` for what runs; then ends it and waits for that end. */
	async drain(graceMs: number): Promise<void> {
		this.#draining = true;
		const timer = setTimeout(() => this.#stop.abort(), graceMs);
		await Promise.all(this.#running);
		clearTimeout(timer);
	}
}
