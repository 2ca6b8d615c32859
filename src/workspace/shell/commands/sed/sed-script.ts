import type { RE2JS } from "re2js";
import { type ReplacementPart, readReplacement } from "./sed-replacement";
import { compileSed, type SedFlags, SedScanner } from "./sed-scanner";

/** Where a command applies. A pattern that is empty is the last one that was tried. */
export type SedAddress =
	| { readonly kind: "line"; readonly number: number }
	| { readonly kind: "step"; readonly first: number; readonly step: number }
	| { readonly kind: "last" }
	| { readonly kind: "pattern"; readonly pattern: RE2JS | undefined };

/** The end of a range; `plus` and `multiple` are counted from its first line. */
export type SedRangeEnd =
	| SedAddress
	| { readonly kind: "plus"; readonly number: number }
	| { readonly kind: "multiple"; readonly number: number };

export interface SedCommand {
	/** Its letter. */
	readonly name: string;
	readonly from?: SedAddress;
	readonly to?: SedRangeEnd;
	readonly isNegated: boolean;
	/** Of `a`, `i` and `c`. */
	readonly text?: string;
	/** Of `:`, `b`, `t` and `T`; empty for the end of the script. */
	readonly label?: string;
	/** Of `r`, `R`, `w` and `W`. */
	readonly file?: string;
	/** Of `q`, `Q`, `l` and `L`. */
	readonly number?: number;
	readonly substitution?: SedSubstitution;
	/** Of `y`. */
	readonly table?: ReadonlyMap<string, string>;
	/** Of `{` and of jumps: the index to go on at. */
	readonly target: number;
}

export interface SedSubstitution {
	readonly pattern: RE2JS | undefined;
	readonly replacement: readonly ReplacementPart[];
	readonly isGlobal: boolean;
	/** The match that is replaced, and with `isGlobal` the first of those that are. */
	readonly nth: number;
	readonly isPrinted: boolean;
	readonly file?: string;
}

type Draft = { -readonly [Key in keyof SedCommand]: SedCommand[Key] };

/** Reads a script of sed. Throws with a sentence for what is none. */
export function readSedScript(text: string, isExtended: boolean): SedCommand[] {
	const scanner = new SedScanner(text);
	const commands: Draft[] = [];
	const open: number[] = [];
	for (;;) {
		scanner.skip(/[\s;]*/y);
		if (scanner.isAtEnd) break;
		if (scanner.take("#")) scanner.skip(/[^\n]*/y);
		else if (scanner.take("}")) {
			const start = open.pop();
			if (start === undefined) throw new Error("unexpected `}'");
			if (commands[start]) commands[start].target = commands.length;
			scanner.endCommand();
		} else {
			const command = readCommand(scanner, isExtended);
			if (command.name === "{") open.push(commands.length);
			commands.push(command);
		}
	}
	if (open.length > 0) throw new Error("unmatched `{'");
	aimJumps(commands);
	return commands;
}

function aimJumps(commands: Draft[]): void {
	const labels = new Map(commands.flatMap(({ name, label }, index) => (name === ":" ? [[label, index] as const] : [])));
	for (const command of commands) {
		const { name, label } = command;
		if (!"btT".includes(name)) continue;
		const target = label === "" ? commands.length : labels.get(label);
		if (target === undefined) throw new Error(`can't find label for jump to \`${label}'`);
		command.target = target;
	}
}

function readCommand(scanner: SedScanner, isExtended: boolean): Draft {
	const from = readAddress(scanner, isExtended);
	scanner.skip(/\s*/y);
	const to = from !== undefined && scanner.take(",") ? readRangeEnd(scanner, isExtended) : undefined;
	if (from?.kind === "line" && from.number === 0 && to?.kind !== "pattern") {
		throw new Error("invalid usage of line address 0");
	}
	scanner.skip(/\s*/y);
	const isNegated = scanner.take("!");
	scanner.skip(/[\s!]*/y);
	const name = scanner.next();
	if (name === undefined) throw new Error("missing command");
	if (name === ":" && from) throw new Error(": doesn't want any addresses");
	const rest = argumentsOf(name, scanner, isExtended);
	return { name, isNegated, target: 0, ...(from && { from }), ...(to && { to }), ...rest };
}

function argumentsOf(name: string, scanner: SedScanner, isExtended: boolean): Partial<Draft> {
	if (name === "{") return {};
	if ("aic".includes(name)) return { text: scanner.text() };
	if ("btT".includes(name)) return { label: scanner.word(/[^\s;}]*/y) };
	if (name === ":") return { label: scanner.label() };
	if ("rRwW".includes(name)) return { file: scanner.fileName() };
	if (name === "s") return readSubstitution(scanner, isExtended);
	if (name === "y") return { table: readTable(scanner) };
	if (name === "v") scanner.word(/[^\s;}]*/y);
	else if ("qQlL".includes(name)) {
		const number = scanner.number();
		scanner.endCommand();
		return number === undefined ? {} : { number };
	} else if (name === "e") throw new Error("the e command runs a program, which this sed does not");
	else if (!"=dDFgGhHnNpPxz".includes(name)) throw new Error(`unknown command: \`${name}'`);
	scanner.endCommand();
	return {};
}

function readAddress(scanner: SedScanner, isExtended: boolean): SedAddress | undefined {
	const number = scanner.number();
	if (number !== undefined) {
		scanner.skip(/[ \t]*/y);
		return scanner.take("~") ? { kind: "step", first: number, step: scanner.number() ?? 0 } : { kind: "line", number };
	}
	if (scanner.take("$")) return { kind: "last" };
	const isEscaped = scanner.take("\\");
	if (!isEscaped && !scanner.take("/")) return undefined;
	const delimiter = isEscaped ? scanner.delimiter("\\") : "/";
	const pattern = scanner.pattern(delimiter, "unterminated address regex");
	const flags = scanner.match(/[IM]*/y);
	return { kind: "pattern", pattern: compileSed(pattern, isExtended, flagsOf(flags)) };
}

function readRangeEnd(scanner: SedScanner, isExtended: boolean): SedRangeEnd {
	scanner.skip(/\s*/y);
	for (const [sign, kind] of [
		["+", "plus"],
		["~", "multiple"],
	] as const) {
		if (!scanner.take(sign)) continue;
		const number = scanner.number();
		if (number === undefined) throw new Error("expected a number in the range");
		return { kind, number };
	}
	const address = readAddress(scanner, isExtended);
	if (address === undefined) throw new Error("unexpected `,'");
	return address;
}

const flagsOf = (letters: string): SedFlags => ({
	ignoresCase: /[iI]/.test(letters),
	isMultiline: /[mM]/.test(letters),
});

function readSubstitution(scanner: SedScanner, isExtended: boolean): Partial<Draft> {
	const delimiter = scanner.delimiter("s");
	const source = scanner.pattern(delimiter, "unterminated `s' command");
	const replacement = readReplacement(scanner.until(delimiter, "unterminated `s' command"), delimiter);
	const flags = scanner.match(/[gpiIm M0-9]*/y).replaceAll(" ", "");
	if (scanner.take("e")) throw new Error("the e flag runs a program, which this sed does not");
	const file = scanner.take("w") ? scanner.fileName() : undefined;
	if (file === undefined) scanner.endCommand("unknown option to `s'");
	const number = /\d+/.exec(flags)?.[0];
	if (number !== undefined && Number(number) === 0) throw new Error("number option to `s' command may not be zero");
	const pattern = compileSed(source, isExtended, flagsOf(flags));
	checkGroups(replacement, pattern);
	return {
		substitution: {
			pattern,
			replacement,
			isGlobal: flags.includes("g"),
			nth: Number(number ?? 1),
			isPrinted: flags.includes("p"),
			...(file !== undefined && { file }),
		},
	};
}

function checkGroups(replacement: readonly ReplacementPart[], pattern: RE2JS | undefined): void {
	const most = pattern === undefined ? 9 : pattern.groupCount();
	const asked = Math.max(
		0,
		...replacement.map((part) => (typeof part === "object" && "group" in part ? part.group : 0)),
	);
	if (asked > most) throw new Error(`invalid reference \\${asked} on \`s' command's RHS`);
}

function readTable(scanner: SedScanner): ReadonlyMap<string, string> {
	const delimiter = scanner.delimiter("y");
	const from = [...scanner.characters(delimiter)];
	const to = [...scanner.characters(delimiter)];
	if (from.length !== to.length) throw new Error("strings for `y' command are different lengths");
	scanner.endCommand();
	const table = new Map<string, string>();
	for (const [index, one] of from.entries()) if (!table.has(one)) table.set(one, to[index] ?? one);
	return table;
}
