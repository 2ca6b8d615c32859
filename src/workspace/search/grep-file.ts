import { isUtf8 } from "node:buffer";
import { FileLines, type LineSearch } from "./file-lines";
import { countNewlines, linesOf, textBlocks } from "./text-blocks";

/** A file with a NUL in its first bytes is no text, as git and grep have it. */
const headBytes = 8_192;
/** Steps (see stepCounter) that it takes to open a file, and to pass over a byte. */
const stepsOfFile = 5_000;
const stepsOfByte = 0.25;

/** Adds the matching lines of one file to what was found; yields after each slice of it. */
export function* grepFile(pieces: Iterable<Uint8Array>, search: LineSearch): Generator<void, void, void> {
	const { pattern, found } = search;
	const lines = new FileLines(search);
	let line = 1;
	let isHead = true;
	found.filesSearched++;
	found.steps += stepsOfFile;
	for (const { bytes, startsLine, endsLine, isLast } of textBlocks(pieces)) {
		if (isHead && bytes.subarray(0, headBytes).includes(0)) {
			found.binaryFiles++;
			return;
		}
		isHead = false;
		if (startsLine && !endsLine) found.longLines++;
		const wasRead = lines.isOwed || pattern.mayMatch(bytes);
		found.bytes += bytes.length;
		found.steps += bytes.length * stepsOfByte;
		if (wasRead && !searchBlock(bytes, line, { search, lines })) {
			found.binaryFiles++;
			return;
		}
		if (wasRead) found.steps += pattern.steps(bytes.length);
		if (found.stopped) return;
		if (found.endsSlice()) yield;
		if (isLast) return;
		line += countNewlines(bytes);
		if (!wasRead && endsLine) lines.passBlock(bytes, line);
	}
}

/** False when a line matches and is not UTF-8: the file is no text after all. */
function searchBlock(bytes: Buffer, firstLine: number, { search, lines }: { search: LineSearch; lines: FileLines }) {
	const { pattern, found } = search;
	let line = firstLine;
	for (const text of linesOf(bytes)) {
		if (!pattern.test(text)) lines.pass(line, text);
		else if (!lines.hasMatched(line)) {
			if (text.includes("\ufffd") && !isUtf8(bytes)) return false;
			lines.match(line, text);
			if (found.stopped) return true;
		}
		line++;
	}
	return true;
}
