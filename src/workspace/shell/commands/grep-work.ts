/** Steps of some 8 ns (see stepCounter) after which others get their turn: 50 ms. */
const sliceSteps = 6_250_000;
/** What one line may take, a few seconds: nobody has a turn meanwhile. */
const maxLineSteps = 200_000_000;

/** What the search of one grep has cost. */
export class GrepWork {
	#line = 0;
	#slice = 0;

	/** Throws when a line has taken too much already for as much again. */
	check(steps: number): void {
		if (this.#line + steps > maxLineSteps) throw new Error("a line is too long for this pattern; use the tool grep");
	}

	spend(steps: number): void {
		this.#line += steps;
	}

	/** True when others are to get their turn before the next line. */
	endLine(): boolean {
		this.#slice += this.#line;
		this.#line = 0;
		if (this.#slice < sliceSteps) return false;
		this.#slice = 0;
		return true;
	}
}
