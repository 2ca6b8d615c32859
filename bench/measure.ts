/** One figure; without `atMost` it is told and not judged. */
export interface Measure {
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	readonly atMost?: number;
	/** What the figure is made of. */
	readonly note?: string;
}

export const isMet = ({ value, atMost }: Measure): boolean => atMost === undefined || value <= atMost;

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The milliseconds of works that take turns, so that what slows the machine slows each of them; turns count from 0. */
export async function takeTurns(
	{ warmUps, rounds }: { warmUps: number; rounds: number },
	works: readonly ((turn: number) => Promise<unknown>)[],
): Promise<number[][]> {
	const taken = works.map((): number[] => []);
	for (let turn = 0; turn < warmUps + rounds; turn++) {
		for (const [index, work] of works.entries()) {
			const started = performance.now();
			await work(turn);
			if (turn >= warmUps) taken[index]?.push(performance.now() - started);
		}
	}
	return taken;
}

/** A table for a terminal: what, how much, how much it may be, the verdict; a note in the line below. */
export function tableOf(measures: readonly Measure[]): string {
	const rows = measures.map((measure) => [
		measure.name,
		`${measure.value} ${measure.unit}`,
		measure.atMost === undefined ? "" : `at most ${measure.atMost} ${measure.unit}`,
		verdictOf(measure),
	]);
	const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	const lineOf = (row: readonly string[]) =>
		row
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join("  ")
			.trimEnd();
	const noteOf = ({ note }: Measure) => (note ? [`    ${note}`] : []);
	return measures.flatMap((measure, at) => [lineOf(rows[at] ?? []), ...noteOf(measure)]).join("\n");
}

function verdictOf(measure: Measure): string {
	if (measure.atMost === undefined) return "";
	return isMet(measure) ? "met" : "MISSED";
}
