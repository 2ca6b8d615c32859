import { randomInt } from "node:crypto";
import type { UserRange } from "./sandbox/users";

/** Each life of a runner takes a block by chance, for two may share a machine. */
const blockSize = 10_000;

/** Users of their own for mirrors and servers, where the runner may give them any. */
export class UserIds {
	readonly #byName = new Map<string, number>();
	#next: number | undefined;

	constructor(range: UserRange | undefined) {
		this.#next = range && range.first + randomInt(Math.floor(range.count / blockSize)) * blockSize;
	}

	/** One that nobody has yet. */
	next(): number | undefined {
		return this.#next === undefined ? undefined : this.#next++;
	}

	/** Always the same for one name. */
	of(name: string): number | undefined {
		const known = this.#byName.get(name) ?? this.next();
		if (known !== undefined) this.#byName.set(name, known);
		return known;
	}
}
