import type { Matcher } from "./grep-matcher";
import type { GrepWork } from "./grep-work";
import { fromBytes, linesOf, toBytes } from "./own";

export interface SearchOptions {
	/** Before each line, when there are several files. */
	readonly prefix: string | undefined;
	readonly label: string;
	readonly isInverted: boolean;
	readonly isCount: boolean;
	readonly listing: "with" | "without" | undefined;
	readonly onlyMatching: boolean;
	readonly hasNumbers: boolean;
	readonly maxCount: number;
	readonly before: number;
	readonly after: number;
	readonly end: string;
	readonly isText: boolean;
	readonly isQuiet: boolean;
}

/** How lines are searched: `work` says when others are to get their turn, and `pause` gives it to them. */
export interface LineSearch {
	readonly matcher: Matcher;
	readonly work: GrepWork;
	readonly pause: () => Promise<void>;
}

/** What grep prints for one content, and whether it selected anything in it. */
export async function searchText(
	content: string,
	search: LineSearch,
	options: SearchOptions,
): Promise<{ text: string; isFound: boolean }> {
	const { listing, isCount, isQuiet, isInverted, maxCount, end, label, prefix } = options;
	const { matcher, work, pause } = search;
	const lines = linesOf(content, end);
	const selected: number[] = [];
	for (let index = 0; index < lines.length && selected.length < maxCount; index++) {
		if ((matcher(fromBytes(lines[index] ?? ""), 0) !== undefined) !== isInverted) selected.push(index);
		if (work.endLine()) await pause();
		if (selected.length > 0 && (listing || isQuiet)) break;
	}
	const isFound = selected.length > 0;
	if (listing) {
		const isListed = isFound === (listing === "with");
		return { text: isListed ? `${label}\n` : "", isFound: isListed };
	}
	if (isQuiet) return { text: "", isFound };
	if (isCount) return { text: `${prefix === undefined ? "" : `${prefix}:`}${selected.length}\n`, isFound };
	if (isFound && !options.isText && content.includes("\0")) {
		return { text: `grep: ${label}: binary file matches\n`, isFound };
	}
	return { text: await show(lines, selected, search, options), isFound };
}

async function show(
	lines: readonly string[],
	selected: readonly number[],
	{ matcher, work, pause }: LineSearch,
	options: SearchOptions,
): Promise<string> {
	const { before, after, end, isInverted, onlyMatching } = options;
	const chosen = new Set(selected);
	const shown = new Set<number>();
	for (const index of selected) {
		for (let near = Math.max(0, index - before); near <= Math.min(lines.length - 1, index + after); near++)
			shown.add(near);
	}
	const hasGroups = before > 0 || after > 0;
	let text = "";
	let last: number | undefined;
	for (const index of [...shown].sort((one, other) => one - other)) {
		const line = lines[index] ?? "";
		const isChosen = chosen.has(index);
		if (hasGroups && last !== undefined && index > last + 1) text += "--\n";
		last = index;
		if (!onlyMatching) text += `${front(index, isChosen ? ":" : "-", options)}${line}${end}`;
		else if (isChosen && !isInverted) {
			text += partsOf(line, matcher)
				.map((part) => `${front(index, ":", options)}${part}${end}`)
				.join("");
			if (work.endLine()) await pause();
		}
	}
	return text;
}

const front = (index: number, mark: string, { prefix, hasNumbers }: SearchOptions): string =>
	`${prefix === undefined ? "" : prefix + mark}${hasNumbers ? `${index + 1}${mark}` : ""}`;

/** Every match that is not empty. */
function partsOf(line: string, matcher: Matcher): string[] {
	const text = fromBytes(line);
	const parts: string[] = [];
	for (let at = 0; at <= text.length; ) {
		const match = matcher(text, at);
		if (match === undefined) break;
		if (match.end > match.start) parts.push(toBytes(text.slice(match.start, match.end)));
		at = Math.max(match.end, match.start + 1);
	}
	return parts;
}
