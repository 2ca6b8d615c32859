import { RE2JS } from "re2js";
import { toLinearPattern } from "../posix-pattern";

export interface SedFlags {
	readonly ignoresCase: boolean;
	readonly isMultiline: boolean;
}

/** A pattern of sed; undefined for the empty one, which means the last that was tried. Throws with re2js's words when it is none. */
export function compileSed(source: string, isExtended: boolean, flags: SedFlags): RE2JS | undefined {
	if (source === "") return undefined;
	const { ignoresCase, isMultiline } = flags;
	return RE2JS.compile(
		toLinearPattern(source, isExtended ? "extended" : "basic"),
		RE2JS.LONGEST_MATCH |
			RE2JS.DOTALL |
			(ignoresCase ? RE2JS.CASE_INSENSITIVE : 0) |
			(isMultiline ? RE2JS.MULTILINE : 0),
	);
}

const plainEscapes: Readonly<Record<string, string>> = { a: "\x07", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** A backslash and what it goes with. */
const escapeSequence = /\\(x[0-9A-Fa-f]{2}|o[0-7]{3}|d\d{3}|[\s\S])/g;

const bases: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16 };

/** What `\n`, `\t`, `\x41` and their like stand for, or undefined. */
export function plainEscape(escaped: string): string | undefined {
	if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), bases[escaped.charAt(0)]));
	return Object.hasOwn(plainEscapes, escaped) ? plainEscapes[escaped] : undefined;
}

/** A bracket expression on one line; in front of it, nothing escapes the first bracket. */
const brackets = /\[\^?\]?(?:\[[:.=].*?[:.=]\]|[^\]\n])*\]/y;

/** Reads a script from its beginning on. */
export class SedScanner {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#text.length;
	}

	next(): string | undefined {
		return this.isAtEnd ? undefined : this.#text.charAt(this.#at++);
	}

	take(one: string): boolean {
		if (!this.#text.startsWith(one, this.#at)) return false;
		this.#at += one.length;
		return true;
	}

	/** What a sticky expression matches here. */
	match(expression: RegExp): string {
		expression.lastIndex = this.#at;
		const [found = ""] = expression.exec(this.#text) ?? [];
		this.#at += found.length;
		return found;
	}

	skip(expression: RegExp): void {
		this.match(expression);
	}

	word(expression: RegExp): string {
		this.skip(/[ \t]*/y);
		return this.match(expression);
	}

	number(): number | undefined {
		const digits = this.word(/\d*/y);
		return digits === "" ? undefined : Number(digits);
	}

	label(): string {
		const label = this.word(/[^\s;]*/y);
		if (label === "") throw new Error('":" lacks a label');
		return label;
	}

	fileName(): string {
		const name = this.word(/[^\n]*/y);
		if (name === "") throw new Error("missing filename in r/R/w/W commands");
		return name;
	}

	delimiter(name: string): string {
		const one = this.next();
		if (one === undefined || one === "\n" || one === "\\") throw new Error(`unterminated \`${name}' command`);
		return one;
	}

	/** Only a `;`, a `}`, a comment or the end of the line may come now. */
	endCommand(message = "extra characters after command"): void {
		this.skip(/[ \t\r]*/y);
		if (this.isAtEnd || this.take("\n") || this.take(";")) return;
		if (!/[}#]/.test(this.#text.charAt(this.#at))) throw new Error(message);
	}

	/** The text up to a delimiter, with its escapes as they are. */
	until(delimiter: string, message: string, afterPart = (at: number) => at): string {
		for (const start = this.#at; !this.isAtEnd; this.#at = afterPart(this.#at) + 1) {
			if (this.#text.charAt(this.#at) === "\\") this.#at++;
			else if (this.#text.charAt(this.#at) === delimiter) return this.#text.slice(start, this.#at++);
		}
		throw new Error(message);
	}

	/** A pattern: a delimiter that is escaped or between brackets is itself, and characters that are written by name stand there. */
	pattern(delimiter: string, message: string): string {
		const afterBrackets = (at: number) => {
			brackets.lastIndex = at;
			return delimiter !== "[" && brackets.test(this.#text) ? brackets.lastIndex - 1 : at;
		};
		return this.until(delimiter, message, afterBrackets).replace(escapeSequence, (whole, one: string) => {
			if (one === delimiter) return one;
			const plain = plainEscape(one) ?? whole;
			// A character that is written by its code has no other meaning.
			return one.length > 1 && /[.*[\]^$\\/]/.test(plain) ? `\\${plain}` : plain;
		});
	}

	/** The characters of one half of `y`. */
	characters(delimiter: string): string {
		return this.until(delimiter, "unterminated `y' command").replace(escapeSequence, (whole, one: string) => {
			if (one === delimiter || one === "\\") return one;
			return plainEscape(one) ?? whole;
		});
	}

	/** The text of `a`, `i` or `c`, on the same line or the next; a backslash at the end of a line goes on. */
	text(): string {
		this.skip(/[ \t]*/y);
		const isEscaped = this.take("\\");
		if (isEscaped) this.skip(/[ \t]*\n|/y);
		if (this.isAtEnd && !isEscaped) throw new Error("expected \\ after `a', `c' or `i'");
		const raw = this.match(/(?:\\[\s\S]|[^\\\n])*/y);
		return this.isAtEnd && raw === "" ? "" : `${raw.replace(escapeSequence, (_, one: string) => textEscape(one))}\n`;
	}
}

const textEscape = (escaped: string): string =>
	escaped.length > 1 || escaped === "t" ? (plainEscape(escaped) ?? escaped) : escaped;
