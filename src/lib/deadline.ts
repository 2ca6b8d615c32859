/** The reason of a signal that `withDeadline` aborted for lack of time. */
export class DeadlinePassed extends Error {
	override readonly name = "DeadlinePassed";
	readonly timeoutMs: number;
	constructor(timeoutMs: number) {
		super(`It took longer than ${timeoutMs} ms.`);
		this.timeoutMs = timeoutMs;
	}
}

/**
 * Runs something that must end in time. Throws `DeadlinePassed` or the outer signal's reason as soon as either is due,
 * also when what runs does not listen; leaves no timer behind.
 */
export async function withDeadline<Result>(
	outer: AbortSignal,
	timeoutMs: number,
	run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	outer.throwIfAborted();
	const controller = new AbortController();
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const abort = (reason: unknown) => {
		controller.abort(reason);
		reject(reason);
	};
	const abortWithOuter = () => abort(outer.reason);
	const timer = setTimeout(() => abort(new DeadlinePassed(timeoutMs)), timeoutMs);
	outer.addEventListener("abort", abortWithOuter, { once: true });
	try {
		return await Promise.race([run(controller.signal), aborted]);
	} finally {
		clearTimeout(timer);
		outer.removeEventListener("abort", abortWithOuter);
	}
}
