import { ArchiveRefused } from "./archive-entry";

/** Everything in a tar stands in blocks of this size. */
export const blockBytes = 512;

/** A header block of POSIX ustar or GNU tar. */
export interface TarHeader {
	/** Raw bytes, since they may be in any encoding. */
	readonly name: Uint8Array;
	readonly mode: number;
	readonly size: number;
	readonly mtimeSeconds: number;
	/** One character; an empty one of old archives is `0`. */
	readonly type: string;
	readonly target: Uint8Array;
}

export const isZero = (block: Uint8Array): boolean => block.every((byte) => byte === 0);

/** Reads a header block. Throws ArchiveRefused where its checksum or a number is wrong. */
export function parseTarHeader(block: Uint8Array): TarHeader {
	if (!hasItsChecksum(block)) {
		throw new ArchiveRefused(
			"broken_archive",
			"The archive is damaged: a header of it has another checksum than it says.",
		);
	}
	const name = field(block, 0, 100);
	// GNU's own format ends its magic with blanks and keeps other things where POSIX has the beginning of long names.
	const isPosix = text(block.subarray(257, 263)) === "ustar\0";
	const prefix = isPosix ? field(block, 345, 155) : new Uint8Array(0);
	return {
		name: prefix.length > 0 ? joinPath(prefix, name) : name,
		mode: numberAt(block, 100, 8),
		size: numberAt(block, 124, 12),
		mtimeSeconds: numberAt(block, 136, 12),
		type: block[156] === 0 ? "0" : String.fromCharCode(block[156] ?? 0),
		target: field(block, 157, 100),
	};
}

/** Whether the block could be the first of a tar: for telling what a file is. */
export const looksLikeTar = (block: Uint8Array): boolean =>
	block.length === blockBytes && (isZero(block) || hasItsChecksum(block));

/** Old tars summed signed bytes, so both are right. */
function hasItsChecksum(block: Uint8Array): boolean {
	let unsigned = 0;
	let signed = 0;
	for (const [index, byte] of block.entries()) {
		const counted = index >= 148 && index < 156 ? 32 : byte;
		unsigned += counted;
		signed += counted > 127 ? counted - 256 : counted;
	}
	const stored = octal(text(block.subarray(148, 156)));
	return stored === unsigned || stored === signed;
}

/** Bytes of a text field up to its NUL. */
function field(block: Uint8Array, start: number, length: number): Uint8Array {
	const bytes = block.subarray(start, start + length);
	const end = bytes.indexOf(0);
	return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Octal digits, or binary with the highest bit set, as GNU writes what is too large for them. */
function numberAt(block: Uint8Array, start: number, length: number): number {
	const bytes = block.subarray(start, start + length);
	const first = bytes[0] ?? 0;
	const value = first & 0x80 ? binary(first, bytes.subarray(1)) : octal(text(bytes));
	if (value !== undefined && Number.isSafeInteger(value)) return value;
	throw new ArchiveRefused("broken_archive", "The archive is damaged: a header of it has a number that is none.");
}

/** In two's complement over all bits but the highest; times before 1970 are below zero. */
function binary(first: number, rest: Uint8Array): number {
	const start = first & 0x40 ? (first & 0x7f) - 0x80 : first & 0x7f;
	return rest.reduce((value, byte) => value * 256 + byte, start);
}

function octal(digits: string): number | undefined {
	const trimmed = digits.replace(/\0.*$/s, "").trim();
	if (trimmed === "") return 0;
	return /^[0-7]+$/.test(trimmed) ? Number.parseInt(trimmed, 8) : undefined;
}

const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);

function joinPath(prefix: Uint8Array, name: Uint8Array): Uint8Array {
	const joined = new Uint8Array(prefix.length + 1 + name.length);
	joined.set(prefix);
	joined[prefix.length] = 0x2f;
	joined.set(name, prefix.length + 1);
	return joined;
}
