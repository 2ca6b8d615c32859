import { type Block, blocksOf, linesOf } from "./blocks";
import type { Measure } from "./units";

export interface SplitRules {
	readonly limit: number;
	readonly measure: Measure;
	/** Stands in every part: put in front of one that lacks it. */
	readonly keyword?: string | undefined;
}

/** The longest number that a part may bear. */
const longestNumber = "(9999/9999)\n";

/**
 * Cuts a text into parts of at most `limit`, numbered `(1/3)` when there are several.
 * Cuts between lines, around a fenced block or with its fence closed and opened again, and inside a line only when it is too long alone.
 */
export function splitText(text: string, rules: SplitRules): string[] {
	const whole = withKeyword(text, text, rules.keyword);
	if (rules.measure(whole) <= rules.limit) return [whole];
	const reserved = longestNumber + (rules.keyword === undefined ? "" : `${rules.keyword}\n`);
	const pieces = packBlocks(blocksOf(text), rules.limit - rules.measure(reserved), rules.measure);
	return pieces.map((piece, at) => withKeyword(piece, `(${at + 1}/${pieces.length})\n${piece}`, rules.keyword));
}

const withKeyword = (searched: string, text: string, keyword: string | undefined) =>
	keyword === undefined || searched.includes(keyword) ? text : `${keyword}\n${text}`;

/** Fills pieces one after another; each block goes whole where it fits. */
function packBlocks(blocks: readonly Block[], room: number, measure: Measure): string[] {
	const pieces: string[] = [];
	let size = room;
	for (const { text, fence } of blocks) {
		const blockSize = measure(text);
		if (size + blockSize <= room) {
			pieces[pieces.length - 1] += text;
			size += blockSize;
			continue;
		}
		const cut = blockSize <= room ? [text] : cutBlock({ text, ...(fence && { fence }) }, room, measure);
		pieces.push(...cut);
		size = measure(pieces.at(-1) ?? "");
	}
	return pieces;
}

function cutBlock({ text, fence }: Block, room: number, measure: Measure): string[] {
	if (!fence) return cutLine(text, room, measure);
	const closer = `\n${fence.marker}\n`;
	const inner = room - measure(fence.opener + closer);
	// An opening line that fills the part is no code block worth repeating.
	if (inner < room / 2) return packBlocks(plainLines(text), room, measure);
	const lines = plainLines(text.slice(fence.opener.length));
	const pieces = packBlocks(lines, inner, measure);
	return pieces.map((piece, at) => {
		if (at === pieces.length - 1) return fence.opener + piece;
		return fence.opener + piece + (piece.endsWith("\n") ? closer.slice(1) : closer);
	});
}

const plainLines = (text: string): Block[] => linesOf(text).map((line) => ({ text: line }));

/** Cuts a line that is too long alone: after a blank where one is near the end, else between graphemes. */
function cutLine(line: string, room: number, measure: Measure): string[] {
	const pieces: string[] = [];
	let piece = "";
	let size = 0;
	for (const grapheme of graphemesOf(line, room, measure)) {
		const width = measure(grapheme);
		if (size + width > room) {
			const kept = piece.slice(0, lastBlank(piece));
			pieces.push(kept);
			piece = piece.slice(kept.length);
			size = measure(piece);
		}
		piece += grapheme;
		size += width;
	}
	return piece === "" ? pieces : [...pieces, piece];
}

/** A grapheme that is itself too long (letters with hundreds of marks) comes in code points. */
function* graphemesOf(text: string, room: number, measure: Measure): Generator<string> {
	for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
		if (measure(segment) <= room / 2) yield segment;
		else yield* segment;
	}
}

/** Where the last blank in the second half ends; the length when there is none. */
function lastBlank(text: string): number {
	const at = text.lastIndexOf(" ");
	return at >= text.length / 2 ? at + 1 : text.length;
}
