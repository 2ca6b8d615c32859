import { fromBytes } from "../own";

export interface SedLine {
	readonly text: string;
	/** The last line of a file may have no end. */
	readonly isTerminated: boolean;
}

/** A file to edit: its content is read when its turn comes, and is undefined where it cannot be read. */
export interface SedFile {
	readonly name: string;
	read(): Promise<string | undefined>;
}

/** The lines of some files, one after the other, with a look ahead: the last line of all has an address. */
export class SedInput {
	readonly #files: readonly SedFile[];
	readonly #end: string;
	#nextFile = 0;
	#ahead = "";
	#aheadName = "-";
	#at = 0;
	#number = 0;
	#name = "-";

	constructor(files: readonly SedFile[], end: string) {
		this.#files = files;
		this.#end = end;
	}

	/** Of the line that was read last. */
	get number(): number {
		return this.#number;
	}

	get fileName(): string {
		return this.#name;
	}

	async isLast(): Promise<boolean> {
		while (this.#at >= this.#ahead.length) {
			const file = this.#files[this.#nextFile++];
			if (file === undefined) return true;
			this.#ahead = (await file.read()) ?? "";
			this.#aheadName = file.name;
			this.#at = 0;
		}
		return false;
	}

	async next(): Promise<SedLine | undefined> {
		if (await this.isLast()) return undefined;
		const found = this.#ahead.indexOf(this.#end, this.#at);
		const isTerminated = found >= 0;
		const text = fromBytes(this.#ahead.slice(this.#at, isTerminated ? found : undefined));
		this.#at = isTerminated ? found + 1 : this.#ahead.length;
		this.#number++;
		this.#name = this.#aheadName;
		return { text, isTerminated };
	}
}
