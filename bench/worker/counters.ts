/** What the measured Worker has written and woken since the last reset. */
export const counters = { d1Rows: 0, objectRows: 0, woken: [] as string[] };

/** Answers the counts and begins anew. */
export function takeCounters(): typeof counters {
	const taken = { ...counters };
	Object.assign(counters, { d1Rows: 0, objectRows: 0, woken: [] });
	return taken;
}
