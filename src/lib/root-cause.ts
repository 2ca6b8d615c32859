/** A failure and all that it wraps, the outermost first. */
export function causesOf(thrown: unknown): unknown[] {
	const causes = [thrown];
	for (let cause = thrown; cause instanceof Error && cause.cause instanceof Error; ) {
		cause = cause.cause;
		causes.push(cause);
	}
	return causes;
}

/** The failure below all that wraps it: the words of a wrapper, such as drizzle's, may quote the values that were at hand. */
export const rootCause = (thrown: unknown): unknown => causesOf(thrown).at(-1);
