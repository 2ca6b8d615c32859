/** Rows written since the last reset by where they went (`object steps`, `D1 llm_calls`), and the objects woken. */
interface Counters {
	readonly rows: Record<string, number>;
	readonly woken: string[];
}

let counters: Counters = { rows: {}, woken: [] };

/** Answers the counts and begins anew. */
export function takeCounters(): Counters {
	const taken = counters;
	counters = { rows: {}, woken: [] };
	return taken;
}

export function countWoken(name: string): void {
	counters.woken.push(name);
}

export function countRows(place: string, count: number): void {
	if (count > 0) counters.rows[place] = (counters.rows[place] ?? 0) + count;
}

/** The table that a statement changes. */
export const tableIn = (query: string): string =>
	query.match(/\b(?:INTO|UPDATE|FROM|EXISTS)\s+["`]?(\w+)/i)?.[1] ?? "other";
