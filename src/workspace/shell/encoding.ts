import type { BufferEncoding, FileContent } from "just-bash/browser";

type Encoding = BufferEncoding | { encoding?: BufferEncoding | null } | undefined;

/** A text that the shell hands over as bytes: UTF-8, or one byte a character. */
export function encodeContent(content: FileContent, encoding?: Encoding): Uint8Array {
	if (typeof content !== "string") return content;
	return isByteWise(encoding) ? bytesOf(content) : new TextEncoder().encode(content);
}

export function decodeContent(bytes: Uint8Array, encoding?: Encoding): string {
	return isByteWise(encoding)
		? charactersOf(bytes)
		: new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}

/** Each character's code as a byte; the shell's pipes carry bytes in this form. */
export function bytesOf(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	Buffer.from(bytes.buffer).write(text, "latin1");
	return bytes;
}

export const charactersOf = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

function isByteWise(encoding: Encoding): boolean {
	const name = typeof encoding === "object" ? encoding.encoding : encoding;
	return name === "binary" || name === "latin1" || name === "ascii";
}
