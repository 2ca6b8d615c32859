import { Refused } from "./refused";

/**
 * Runs something to its end in steps, between which others have their turn. `read` loads the documents that a step looks at: it is
 * begun anew then, and must change nothing. Throws Refused when the signal is aborted.
 */
export async function inSteps<Value>(
	begin: () => Generator<void, Value, void>,
	read: <Result>(run: () => Result) => Promise<Result>,
	signal: AbortSignal,
): Promise<Value> {
	let steps: Generator<void, Value, void> | undefined;
	const next = () => {
		steps ??= begin();
		try {
			return steps.next();
		} catch (error) {
			steps = undefined;
			throw error;
		}
	};
	for (;;) {
		const step = await read(next);
		if (step.done) return step.value;
		await new Promise((resolve) => setTimeout(resolve, 0));
		if (signal.aborted) steps?.throw(new Refused(cancelled));
	}
}

const cancelled = {
	code: "cancelled",
	reason: "cancelled",
	message: "The search was ended before it was over: it was cancelled or its time was up.",
	retryable: false,
	gate: false,
} as const;
