import { PatternRefused } from "./pattern-refused";

/** Lowest and highest code point. */
type Range = readonly [number, number];

const slash = 0x2f;
const upper: Range[] = [[0x41, 0x5a]];
const lower: Range[] = [[0x61, 0x7a]];
const digit: Range[] = [[0x30, 0x39]];
const punct: Range[] = [
	[0x21, 0x2f],
	[0x3a, 0x40],
	[0x5b, 0x60],
	[0x7b, 0x7e],
];

/** https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap09.html#tag_09_03_05, of ASCII. */
const named = new Map<string, Range[]>([
	["alnum", [...upper, ...lower, ...digit]],
	["alpha", [...upper, ...lower]],
	[
		"blank",
		[
			[0x09, 0x09],
			[0x20, 0x20],
		],
	],
	[
		"cntrl",
		[
			[0x00, 0x1f],
			[0x7f, 0x7f],
		],
	],
	["digit", digit],
	["graph", [[0x21, 0x7e]]],
	["lower", lower],
	["print", [[0x20, 0x7e]]],
	["punct", punct],
	[
		"space",
		[
			[0x09, 0x0d],
			[0x20, 0x20],
		],
	],
	["upper", upper],
	["xdigit", [...digit, [0x41, 0x46], [0x61, 0x66]]],
]);

/** Reads the class of a glob that begins at `open`, by the rules of git's wildmatch; it never matches a slash. Throws PatternRefused when it has no end. */
export function readBracketClass(glob: string, open: number): { pattern: string; end: number } {
	const negated = glob[open + 1] === "!" || glob[open + 1] === "^";
	const first = open + (negated ? 2 : 1);
	const ranges: Range[] = [];
	let low: number | undefined;
	let at = first;
	while (at === first || glob[at] !== "]") {
		const name = /^\[:([^\]]*):\]/.exec(glob.slice(at))?.[1];
		if (name !== undefined) {
			ranges.push(...rangesOf(name));
			low = undefined;
			at += name.length + 4;
		} else if (glob[at] === "-" && low !== undefined && at + 1 < glob.length && glob[at + 1] !== "]") {
			const high = readMember(glob, at + 1);
			ranges.push([low, high.codePoint]);
			low = undefined;
			at = high.end;
		} else {
			const member = readMember(glob, at);
			ranges.push([member.codePoint, member.codePoint]);
			low = member.codePoint;
			at = member.end;
		}
	}
	return { pattern: patternOf(ranges, negated), end: at + 1 };
}

function readMember(glob: string, at: number): { codePoint: number; end: number } {
	const place = glob[at] === "\\" ? at + 1 : at;
	const codePoint = glob.codePointAt(place);
	if (codePoint === undefined) throw new PatternRefused("pattern_unsupported", "A glob's [ has no ] to it.");
	return { codePoint, end: place + String.fromCodePoint(codePoint).length };
}

function rangesOf(name: string): Range[] {
	const ranges = named.get(name);
	if (!ranges) throw new PatternRefused("pattern_unsupported", `No class of characters is named [:${name}:].`);
	return ranges;
}

function patternOf(ranges: readonly Range[], negated: boolean): string {
	const forwards = ranges.filter(([low, high]) => low <= high);
	if (negated) return `[^/${forwards.map(showRange).join("")}]`;
	const allowed = forwards.flatMap(withoutSlash);
	return allowed.length > 0 ? `[${allowed.map(showRange).join("")}]` : nothing;
}

/** No character is outside of all. */
const nothing = "[^\\x00-\\x{10FFFF}]";

const withoutSlash = ([low, high]: Range): Range[] => {
	if (high < slash || low > slash) return [[low, high]];
	const parts: Range[] = [
		[low, slash - 1],
		[slash + 1, high],
	];
	return parts.filter(([from, to]) => from <= to);
};

const showRange = ([low, high]: Range) => `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`;
