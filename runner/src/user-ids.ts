/** First of the users that the runner gives to programs and servers; no system hands them out otherwise. */
const first = 200_000;

/** Users of their own for mirrors and servers, where the runner is root and may choose. */
export class UserIds {
	readonly #isRoot: boolean;
	readonly #byName = new Map<string, number>();
	#next = first;

	constructor(isRoot: boolean) {
		this.#isRoot = isRoot;
	}

	/** One that nobody has yet. */
	next(): number | undefined {
		return this.#isRoot ? this.#next++ : undefined;
	}

	/** Always the same for one name. */
	of(name: string): number | undefined {
		const known = this.#byName.get(name) ?? this.next();
		if (known !== undefined) this.#byName.set(name, known);
		return known;
	}
}
