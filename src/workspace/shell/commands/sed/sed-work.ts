/** A limit of the shell that a sed has reached. */
export class SedLimit extends Error {
	override readonly name = "SedLimit";
}

/** Characters gone over after which others get their turn: some 50 ms. */
const sliceCharacters = 500_000;

/** What one sed may do and hold: the clock stands still while it computes, and nothing else ends it. */
export class SedWork {
	readonly #maxChars: number;
	readonly #maxCommands: number;
	readonly #pause: () => Promise<void>;
	#commands = 0;
	#characters = 0;

	constructor({ maxChars, maxCommands, pause }: { maxChars: number; maxCommands: number; pause(): Promise<void> }) {
		this.#maxChars = maxChars;
		this.#maxCommands = maxCommands;
		this.#pause = pause;
	}

	beginLine(): void {
		this.#commands = 0;
	}

	/** Throws SedLimit when a line has taken too many. */
	countCommand(): void {
		if (++this.#commands <= this.#maxCommands) return;
		throw new SedLimit(`sed: command execution exceeded maximum iterations (${this.#maxCommands})`);
	}

	/** Gives others their turn from time to time. */
	async spend(characters: number): Promise<void> {
		this.#characters += characters;
		if (this.#characters < sliceCharacters) return;
		this.#characters = 0;
		await this.#pause();
	}

	/** Throws SedLimit when a text may not be that long. */
	checkLength(length: number, what: string): void {
		if (length <= this.#maxChars) return;
		throw new SedLimit(`sed: ${what} size limit exceeded (${this.#maxChars} characters)`);
	}
}
