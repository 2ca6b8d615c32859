import { Refused } from "../refused";

/** Bytes as text, a byte order mark kept; undefined when they are no UTF-8 or hold a NUL. */
export function decodeText(bytes: Uint8Array): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** The refusal of a file that is no text; `head` are some of its bytes. */
export const notText = (head: Uint8Array, path: string, size: number): Refused =>
	new Refused({
		code: "invalid_arguments",
		reason: "not_text",
		message: `${path} is ${kindOf(head)} of ${size} bytes, no UTF-8 text, so it cannot be read or edited as text.`,
		retryable: false,
		gate: false,
	});

export const tooLarge = (message: string): Refused =>
	new Refused({ code: "too_large", reason: "file_too_large", message, retryable: true, gate: false });

/** How well-known files begin, as one character a byte. */
const beginnings: readonly (readonly [string, string])[] = [
	["\x89PNG", "a PNG image"],
	["\xff\xd8\xff", "a JPEG image"],
	["GIF8", "a GIF image"],
	["%PDF", "a PDF document"],
	["PK\x03\x04", "a ZIP archive"],
	["\x1f\x8b", "a gzip archive"],
	["\x7fELF", "an ELF program"],
	["\0asm", "a WebAssembly module"],
	["SQLite format 3", "an SQLite database"],
	["\xff\xfe", "UTF-16 text"],
	["\xfe\xff", "UTF-16 text"],
];

function kindOf(head: Uint8Array): string {
	const start = String.fromCharCode(...head.subarray(0, 16));
	return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1] ?? "a binary file";
}
