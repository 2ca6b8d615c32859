import type { RE2JS } from "re2js";
import { SedAddresses } from "./sed-address";
import type { SedInput } from "./sed-input";
import type { SedOutput } from "./sed-output";
import { replaced } from "./sed-replacement";
import type { SedCommand, SedSubstitution } from "./sed-script";
import type { SedWork } from "./sed-work";

export interface SedParts {
	readonly script: readonly SedCommand[];
	readonly input: SedInput;
	readonly output: SedOutput;
	readonly isQuiet: boolean;
	readonly end: string;
	readonly lineLength: number;
	readonly work: SedWork;
	/** Where `w` writes. */
	outputTo(file: string): SedOutput;
	/** What `r` puts in; empty where there is nothing to read. */
	contentOf(file: string): Promise<string>;
	/** The next line of a file for `R`. */
	lineOf(file: string): Promise<string | undefined>;
}

/** What comes after a command: the next one, the one at an index, the next line, the same line's script again, or the end. */
type Next = number | "next" | "line" | "again" | "quit";

/** Runs a script over the lines of an input. */
export class SedRun {
	readonly #parts: SedParts;
	readonly #addresses = new SedAddresses();
	readonly #at;
	/** What is put out at the end of the line's turn. */
	#after: (() => Promise<void> | void)[] = [];
	#space = "";
	#isTerminated = true;
	#hold = "";
	#lastPattern: RE2JS | undefined;
	#hasReplaced = false;
	#exitCode = 0;

	constructor(parts: SedParts) {
		this.#parts = parts;
		this.#at = {
			input: parts.input,
			matches: (pattern: RE2JS | undefined) => this.#patternOf(pattern).matcher(this.#space).find(),
		};
	}

	/** Answers the exit code, and whether the script itself ended the run. */
	async run(): Promise<{ exitCode: number; isOver: boolean }> {
		let next: Next = "line";
		while (next === "again" || (next !== "quit" && (await this.#readLine()))) next = await this.#runScript();
		return { exitCode: this.#exitCode, isOver: next === "quit" };
	}

	async #readLine(): Promise<boolean> {
		const line = await this.#parts.input.next();
		if (line === undefined) return false;
		this.#space = line.text;
		this.#isTerminated = line.isTerminated;
		this.#hasReplaced = false;
		this.#parts.work.beginLine();
		return true;
	}

	async #runScript(): Promise<Next> {
		const { script, work } = this.#parts;
		for (let index = 0; index < script.length; ) {
			const command = script[index];
			if (command === undefined) break;
			work.countCommand();
			await work.spend(this.#space.length + 1);
			if (!(await this.#addresses.apply(command, this.#at))) {
				index = command.name === "{" ? command.target : index + 1;
				continue;
			}
			const next = await this.#execute(command);
			if (next === "next") index++;
			else if (typeof next === "number") index = next;
			else return next;
		}
		await this.#endLine();
		return "line";
	}

	/** The end of a line's turn: it is shown, and what was to come after it. */
	async #endLine(): Promise<void> {
		if (!this.#parts.isQuiet) this.#show(this.#space, this.#isTerminated);
		await this.#putAfter();
	}

	#show(text: string, isTerminated = true): void {
		this.#parts.output.line(text, isTerminated);
	}

	async #putAfter(): Promise<void> {
		const after = this.#after;
		this.#after = [];
		for (const put of after) await put();
	}

	async #execute(command: SedCommand): Promise<Next> {
		const { output, input } = this.#parts;
		const { name, text = "", file = "", target } = command;
		switch (name) {
			case "b":
				return target;
			case "t":
			case "T": {
				const jumps = this.#hasReplaced === (name === "t");
				this.#hasReplaced = false;
				return jumps ? target : "next";
			}
			case "a":
				this.#after.push(() => output.raw(text));
				return "next";
			case "i":
				output.raw(text);
				return "next";
			case "c":
				if (command.isNegated || !this.#addresses.isInside(command)) output.raw(text);
				return await this.#drop();
			case "r":
				this.#after.push(async () => output.raw(await this.#parts.contentOf(file)));
				return "next";
			case "R":
				this.#after.push(async () => {
					const line = await this.#parts.lineOf(file);
					if (line !== undefined) this.#show(line);
				});
				return "next";
			case "w":
				this.#parts.outputTo(file).line(this.#space, this.#isTerminated);
				return "next";
			case "W":
				this.#parts.outputTo(file).line(this.#firstLine());
				return "next";
			case "d":
				return await this.#drop();
			case "D":
				return await this.#dropFirstLine();
			case "n":
			case "N":
				return await this.#readOn(name === "N");
			case "q":
				await this.#endLine();
				this.#exitCode = command.number ?? 0;
				return "quit";
			case "Q":
				this.#exitCode = command.number ?? 0;
				return "quit";
			case "p":
				this.#show(this.#space, this.#isTerminated);
				return "next";
			case "P":
				this.#show(this.#firstLine());
				return "next";
			case "=":
				output.raw(`${input.number}\n`);
				return "next";
			case "F":
				output.raw(`${input.fileName}\n`);
				return "next";
			case "l":
				output.raw(spelled(this.#space, command.number ?? this.#parts.lineLength));
				return "next";
			case "s":
				if (command.substitution) await this.#substitute(command.substitution);
				return "next";
			default:
				this.#edit(command);
				return "next";
		}
	}

	/** The commands that only touch the two spaces. */
	#edit({ name, table }: SedCommand): void {
		if (name === "g") this.#space = this.#hold;
		else if (name === "h") this.#hold = this.#space;
		else if (name === "G") this.#space = this.#joined(this.#space, this.#hold);
		else if (name === "H") this.#hold = this.#joined(this.#hold, this.#space);
		else if (name === "x") [this.#space, this.#hold] = [this.#hold, this.#space];
		else if (name === "z") this.#space = "";
		else if (name === "y" && table) this.#space = Array.from(this.#space, (one) => table.get(one) ?? one).join("");
	}

	/** Throws SedLimit. */
	#joined(one: string, other: string): string {
		const { end, work } = this.#parts;
		work.checkLength(one.length + 1 + other.length, "space");
		return one + end + other;
	}

	async #drop(): Promise<Next> {
		await this.#putAfter();
		return "line";
	}

	async #dropFirstLine(): Promise<Next> {
		const at = this.#space.indexOf(this.#parts.end);
		await this.#putAfter();
		if (at < 0) return "line";
		this.#space = this.#space.slice(at + 1);
		return "again";
	}

	/** Without a further line the script ends; the line at hand is shown. */
	async #readOn(isAdded: boolean): Promise<Next> {
		const { input, isQuiet } = this.#parts;
		if (await input.isLast()) {
			await this.#endLine();
			return "quit";
		}
		if (!isAdded && !isQuiet) this.#show(this.#space, this.#isTerminated);
		await this.#putAfter();
		const line = await input.next();
		if (line === undefined) return "quit";
		this.#space = isAdded ? this.#joined(this.#space, line.text) : line.text;
		this.#isTerminated = line.isTerminated;
		return "next";
	}

	#firstLine(): string {
		const at = this.#space.indexOf(this.#parts.end);
		return at < 0 ? this.#space : this.#space.slice(0, at);
	}

	#patternOf(pattern: RE2JS | undefined): RE2JS {
		const meant = pattern ?? this.#lastPattern;
		if (meant === undefined) throw new Error("no previous regular expression");
		this.#lastPattern = meant;
		return meant;
	}

	async #substitute(substitution: SedSubstitution): Promise<void> {
		const pattern = this.#patternOf(substitution.pattern);
		const text = await replaced(this.#space, { ...substitution, pattern }, this.#parts.work);
		if (text === undefined) return;
		this.#space = text;
		this.#hasReplaced = true;
		if (substitution.isPrinted) this.#show(text, this.#isTerminated);
		if (substitution.file !== undefined) this.#parts.outputTo(substitution.file).line(text, this.#isTerminated);
	}
}

const spellings: Readonly<Record<string, string>> = {
	"\\": "\\\\",
	"\x07": "\\a",
	"\b": "\\b",
	"\f": "\\f",
	"\n": "\\n",
	"\r": "\\r",
	"\t": "\\t",
	"\v": "\\v",
};

/** A text with all that cannot be seen written out, in lines of a length that ends in a backslash; 0 and 1 mean one line. */
function spelled(text: string, lineLength: number): string {
	const width = lineLength > 1 ? lineLength - 1 : Number.POSITIVE_INFINITY;
	let [shown, line] = ["", ""];
	for (const byte of new TextEncoder().encode(text)) {
		const one = String.fromCharCode(byte);
		const isPlain = byte >= 0x20 && byte < 0x7f;
		const piece = spellings[one] ?? (isPlain ? one : `\\${byte.toString(8).padStart(3, "0")}`);
		if (line.length + piece.length > width) {
			shown += `${line}\\\n`;
			line = "";
		}
		line += piece;
	}
	return `${shown}${line}$\n`;
}
