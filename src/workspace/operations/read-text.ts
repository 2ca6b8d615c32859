import type { FileSystem } from "../file-system";
import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { decodeText, notText, tooLarge } from "./text";
import { wholeCharacters } from "./whole-characters";

export interface ReadText {
	readonly path: string;
	/** The first line wanted, from 1. */
	readonly offset?: number | undefined;
	/** Lines wanted. */
	readonly limit?: number | undefined;
	/** The first byte wanted, for files whose lines are very long; `offset` is of no account then. */
	readonly byteOffset?: number | undefined;
}

export interface TextPart {
	readonly path: string;
	readonly text: string;
	/** Where the text stands in the file. */
	readonly bytes: { readonly start: number; readonly end: number };
	/** The same in lines; unknown when the reading began at a byte. */
	readonly lines?: { readonly first: number; readonly last: number };
	/** Bytes of the whole file. */
	readonly size: number;
	/** Lines of the whole file, where they were counted. */
	readonly totalLines?: number;
	/** True when the line after the text was cut for want of room, so that only a byte says where to go on. */
	readonly cutLine: boolean;
}

/** Bytes of text that one reading answers. */
export const maxPartBytes = 32 * 1024;
/** A larger file is read in parts only, and its lines are not counted. */
export const maxWholeBytes = 10_000_000;

/** Reads a part of a text file. Only the pieces that the part needs are looked at, and those before it when it begins at a line. */
export const readText: Operation<ReadText, TextPart> = {
	writes: false,
	run(files, { path: asked, offset, limit, byteOffset }, rules) {
		const path = resolveAsked(asked, rules);
		const { kind, size } = files.stat(path);
		if (kind === "directory") throw new FsError("EISDIR", path);
		if (size > maxWholeBytes && offset === undefined && limit === undefined && byteOffset === undefined) {
			throw tooLarge(
				`${path} has ${size} bytes, too many to be read from the start without a plan. Say offset, limit or byte_offset.`,
			);
		}
		return byteOffset === undefined
			? readLines(files, { path, size, line: offset ?? 1, limit })
			: readBytes(files, { path, size, start: byteOffset, limit });
	},
};

interface Part {
	readonly path: string;
	readonly size: number;
	readonly limit: number | undefined;
}

function readBytes(files: FileSystem, { path, size, start, limit }: Part & { start: number }): TextPart {
	const head = files.read(path, { offset: start, length: maxPartBytes });
	const skipped = start === 0 ? 0 : continuationBytes(head);
	const part = firstLines(wholeCharacters(head.subarray(skipped), start + head.length < size), limit);
	const from = Math.min(start, size) + skipped;
	const bytes = { start: from, end: from + part.length };
	return { path, text: textOf(part, path, size), bytes, size, cutLine: true };
}

function readLines(files: FileSystem, { path, size, line, limit }: Part & { line: number }): TextPart {
	const found = findLine(files, path, line);
	const head = files.read(path, { offset: found.byte, length: maxPartBytes });
	const isCut = found.byte + head.length < size;
	const lastEnd = head.lastIndexOf(newline) + 1;
	const cutLine = isCut && lastEnd === 0;
	const room = isCut && !cutLine ? head.subarray(0, lastEnd) : wholeCharacters(head, isCut);
	const part = firstLines(room, limit);
	const bytes = { start: found.byte, end: found.byte + part.length };
	const read = countLines(part);
	const isRest = bytes.end === size;
	const total = isRest
		? { totalLines: found.line - 1 + read }
		: size <= maxWholeBytes && { totalLines: linesOf(files, path) };
	const lines = { first: found.line, last: found.line - 1 + read };
	return { path, text: textOf(part, path, size), bytes, lines, size, ...total, cutLine };
}

const newline = 10;

/** Where a line begins; the end of the file, and the number a line there would have, when it has not so many. */
function findLine(files: FileSystem, path: string, wanted: number): { line: number; byte: number } {
	let line = 1;
	let byte = 0;
	let endsInLine = false;
	if (wanted <= 1) return { line, byte };
	for (const piece of files.readPieces(path)) {
		for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) {
			line++;
			if (line === wanted) return { line, byte: byte + at + 1 };
		}
		byte += piece.length;
		endsInLine = piece.at(-1) !== newline;
	}
	return { line: endsInLine ? line + 1 : line, byte };
}

function linesOf(files: FileSystem, path: string): number {
	let lines = 0;
	let last: number | undefined;
	for (const piece of files.readPieces(path)) {
		lines += countNewlines(piece);
		last = piece.at(-1);
	}
	return last === undefined || last === newline ? lines : lines + 1;
}

/** A last line without a line end counts too. */
const countLines = (bytes: Uint8Array) => countNewlines(bytes) + (bytes.length > 0 && bytes.at(-1) !== newline ? 1 : 0);

function countNewlines(bytes: Uint8Array): number {
	let count = 0;
	for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
	return count;
}

function firstLines(bytes: Uint8Array, limit: number | undefined): Uint8Array {
	if (limit === undefined) return bytes;
	let end = 0;
	for (let line = 0; line < limit; line++) {
		const at = bytes.indexOf(newline, end);
		if (at < 0) return bytes;
		end = at + 1;
	}
	return bytes.subarray(0, end);
}

/** Bytes at the head that belong to a character which began before. */
function continuationBytes(bytes: Uint8Array): number {
	const lead = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
	return Math.max(lead, 0);
}

function textOf(bytes: Uint8Array, path: string, size: number): string {
	const text = decodeText(bytes);
	if (text === undefined) throw notText(bytes, path, size);
	return text;
}
