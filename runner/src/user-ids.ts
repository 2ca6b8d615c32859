import { randomInt } from "node:crypto";

/** Users from here on are handed out by no system; each life of a runner takes a block of them by chance, for two may share a machine. */
const firstBlock = 200_000;
const blocks = 60_000;
const blockSize = 10_000;

/** Users of their own for mirrors and servers, where the runner is root and may choose. */
export class UserIds {
	readonly #isRoot: boolean;
	readonly #byName = new Map<string, number>();
	#next = firstBlock + randomInt(blocks) * blockSize;

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
