/** How a key is ordered, as sort's letters: `n`, `f`, `r` … */
export interface Ordering {
	readonly letters: string;
}

export interface Key {
	/** Compares two lines by this key, its fields between the separator or between blanks. */
	comparer(separator: string | undefined): (one: string, other: string) => number;
}

interface Place {
	readonly field: number;
	readonly character: number;
	readonly letters: string;
}

export const wholeLine = (ordering: Ordering): Key => ({
	comparer: () => {
		const compare = comparerOf(ordering.letters);
		return (one, other) => compare(one, other);
	},
});

/** A key as `-k` writes it: `2`, `2n`, `2,2`, `1.3,1.5r`. Undefined when it is none. */
export function readKey(text: string, fallback: Ordering): Key | undefined {
	const [first = "", last] = text.split(",");
	const from = readPlace(first, 1);
	const to = last === undefined ? undefined : readPlace(last, 0);
	if (from === undefined || (last !== undefined && to === undefined)) return undefined;
	const own = from.letters + (to?.letters ?? "");
	const letters = own === "" ? fallback.letters : own;
	const compare = comparerOf(letters);
	return {
		comparer: (separator) => {
			const take = (line: string) => partOf(line, from, to, separator);
			return (one, other) => compare(take(one), take(other));
		},
	};
}

function readPlace(text: string, defaultCharacter: number): Place | undefined {
	const match = /^(\d+)(?:\.(\d+))?([bdfghinMVr]*)$/.exec(text);
	if (!match || Number(match[1]) < 1) return undefined;
	return { field: Number(match[1]), character: Number(match[2] ?? defaultCharacter), letters: match[3] ?? "" };
}

function partOf(line: string, from: Place, to: Place | undefined, separator: string | undefined): string {
	const fields = fieldsOf(line, separator);
	const start = placeIn(fields[from.field - 1], from, line.length, from.character - 1);
	if (to === undefined) return line.slice(start);
	const last = fields[to.field - 1];
	const end = to.character === 0 ? (last?.end ?? line.length) : placeIn(last, to, line.length, to.character);
	return line.slice(start, Math.max(start, end));

	function placeIn(field: Field | undefined, place: Place, length: number, offset: number): number {
		if (field === undefined) return length;
		const blanks = place.letters.includes("b") ? (/^[ \t]*/.exec(line.slice(field.start))?.[0].length ?? 0) : 0;
		return Math.min(field.start + blanks + offset, length);
	}
}

interface Field {
	readonly start: number;
	readonly end: number;
}

/** Without a separator, the blanks before a field belong to it. */
function fieldsOf(line: string, separator: string | undefined): Field[] {
	if (separator === undefined) {
		return [...line.matchAll(/[ \t]*[^ \t]+/g)].map(({ index, 0: text }) => ({
			start: index,
			end: index + text.length,
		}));
	}
	let start = 0;
	return line.split(separator).map((text) => {
		const field = { start, end: start + text.length };
		start = field.end + separator.length;
		return field;
	});
}

function comparerOf(letters: string): (one: string, other: string) => number {
	const sign = letters.includes("r") ? -1 : 1;
	const compare = plainComparer(letters);
	return (one, other) => sign * compare(one, other);
}

function plainComparer(letters: string): (one: string, other: string) => number {
	if (letters.includes("n")) return (one, other) => numberIn(one) - numberIn(other);
	if (letters.includes("g")) return (one, other) => generalNumber(one) - generalNumber(other);
	if (letters.includes("h")) return (one, other) => byteCount(one) - byteCount(other);
	if (letters.includes("M")) return (one, other) => monthIn(one) - monthIn(other);
	if (letters.includes("V")) return compareVersions;
	const prepared = (text: string) => {
		let prepared = letters.includes("b") ? text.trimStart() : text;
		if (letters.includes("d")) prepared = prepared.replace(/[^A-Za-z0-9 \t]/g, "");
		if (letters.includes("i")) prepared = prepared.replace(/[^ -~]/g, "");
		return letters.includes("f") ? prepared.toUpperCase() : prepared;
	};
	return (one, other) => byText(prepared(one), prepared(other));
}

const numberIn = (text: string): number => Number(/^[ \t]*(-?\d*\.?\d*)/.exec(text)?.[1] || 0) || 0;

const generalNumber = (text: string): number => {
	const number = Number.parseFloat(text);
	return Number.isNaN(number) ? Number.MIN_SAFE_INTEGER : number;
};

const units = "KMGTPEZY";

/** The unit counts before the number does, so that `1M` is more than `2000K`. */
function byteCount(text: string): number {
	const [, number = "0", unit = ""] = /^[ \t]*(-?\d*\.?\d+)([a-zA-Z]?)/.exec(text) ?? [];
	return Number(number) * 1_000 ** (units.indexOf(unit.toUpperCase() || "-") + 1);
}

const months = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

const monthIn = (text: string): number => months.indexOf(text.trimStart().slice(0, 3).toUpperCase() || "-");

function compareVersions(one: string, other: string): number {
	const [first, second] = [one, other].map((text) => text.match(/\d+|\D+/g) ?? []);
	for (let index = 0; index < Math.max(first?.length ?? 0, second?.length ?? 0); index++) {
		const [left = "", right = ""] = [first?.[index], second?.[index]];
		const areNumbers = /^\d/.test(left) && /^\d/.test(right);
		const order = areNumbers ? Number(left) - Number(right) : byText(left, right);
		if (order !== 0) return order;
	}
	return byText(one, other);
}

/** Byte strings in the order of their bytes. */
export function byText(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
