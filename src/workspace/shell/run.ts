import type { FileRefusal } from "../reply";

/** Thrown at whatever a command line still tries after it has ended. */
export class RunEnded extends Error {
	override readonly name = "RunEnded";
	constructor() {
		super("The command line has ended.");
	}
}

/** Between two of them timers get their turn; the platform's clock moves only then. */
const stepsBetweenTimers = 64;

/** What goes on in memory alone may need a moment to notice the end; nothing outside can be reached by then. */
const abandonAfterMs = 250;

/** One run of a command line: the first thing that ends it is why it ended, and nothing of it happens afterwards. */
export class Run {
	readonly #controller = new AbortController();
	readonly #timer: ReturnType<typeof setTimeout>;
	readonly #deadline: number;
	readonly #timeoutMs: number;
	readonly #outer: AbortSignal;
	readonly #cancel = () => this.end(cancelled);
	#refusal: FileRefusal | undefined;
	#failure: { readonly error: unknown } | undefined;
	#steps = 0;

	constructor({ timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }) {
		this.#timeoutMs = timeoutMs;
		this.#deadline = Date.now() + timeoutMs;
		this.#timer = setTimeout(() => this.end(tooSlow(timeoutMs)), timeoutMs);
		this.#outer = signal;
		signal.addEventListener("abort", this.#cancel, { once: true });
		if (signal.aborted) this.#cancel();
	}

	/** Aborted when the run has ended. */
	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Resolves a moment after the end, for whoever waits for something that does not hear of it. */
	get abandoned(): Promise<undefined> {
		const { promise, resolve } = Promise.withResolvers<undefined>();
		const wait = (): void => void setTimeout(() => resolve(undefined), abandonAfterMs);
		if (this.signal.aborted) wait();
		else this.signal.addEventListener("abort", wait, { once: true });
		return promise;
	}

	/** Why the run ended before its time. */
	get refusal(): FileRefusal | undefined {
		return this.#refusal;
	}

	end(refusal: FileRefusal): void {
		this.#refusal ??= refusal;
		this.#controller.abort();
	}

	/** Ends the run for something that is nobody's fault but ours; whoever started the run throws it on. */
	fail(error: unknown): void {
		this.#failure ??= { error };
		this.#controller.abort();
	}

	/** Throws what `fail` was given. */
	throwFailure(): void {
		if (this.#failure) throw this.#failure.error;
	}

	/** Throws `RunEnded` when the run has ended. */
	check(): void {
		if (this.#controller.signal.aborted) throw new RunEnded();
	}

	/** Throws `RunEnded` when the run has ended or its time is over, as far as the clock moves without waiting. */
	tick(): void {
		if (Date.now() >= this.#deadline) this.end(tooSlow(this.#timeoutMs));
		this.check();
	}

	/** To be awaited before each thing that a command line does outside its own memory. */
	async step(): Promise<void> {
		this.check();
		if (++this.#steps % stepsBetweenTimers === 0) await new Promise((resolve) => setTimeout(resolve, 0));
		this.tick();
	}

	/** Resolves early when the run ends. */
	async sleep(ms: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, Math.min(ms, this.#timeoutMs));
		this.signal.addEventListener("abort", () => resolve(), { once: true });
		await promise;
		clearTimeout(timer);
		this.check();
	}

	/** Ends the run if it has not ended, and lets go of the timer and the outer signal. */
	close(): void {
		clearTimeout(this.#timer);
		this.#outer.removeEventListener("abort", this.#cancel);
		this.#controller.abort();
	}
}

const cancelled: FileRefusal = {
	code: "cancelled",
	reason: "cancelled",
	message: "The command line was cancelled. Nothing was changed.",
	retryable: false,
	gate: false,
};

const tooSlow = (timeoutMs: number): FileRefusal => ({
	code: "timeout",
	reason: "timeout",
	message: `The command line took longer than ${timeoutMs / 1_000} s and was ended. Nothing was changed.`,
	retryable: false,
	gate: false,
});
