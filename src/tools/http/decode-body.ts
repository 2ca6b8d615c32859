import type { GatedResponse } from "../../gates/gated-fetch";

/** A body as text, or how to call it when it is none. */
export type DecodedBody = { text: string; mediaType: string } | { text: undefined; mediaType: string };

const sniffedBytes = 1_024;

/** Decodes by byte order mark, then the header's charset, then the one that HTML declares in its first bytes, then UTF-8. */
export function decodeBody({ headers, body }: Pick<GatedResponse, "headers" | "body">): DecodedBody {
	const contentType = headers.get("content-type") ?? "";
	const declared = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
	const charset = markedCharset(body) ?? charsetIn(contentType) ?? htmlCharset(declared, body);
	if (!isWideCharset(charset) && isBinary(declared, body))
		return { text: undefined, mediaType: declared || "application/octet-stream" };
	return { text: decoderFor(charset).decode(body), mediaType: declared || sniffText(body) };
}

/** Whether a media type names text, whatever its bytes are. */
const isTextType = (mediaType: string): boolean =>
	/^text\/|[/+](json|xml|yaml|javascript|ecmascript|x-javascript|x-ndjson|x-www-form-urlencoded|graphql|toml)$/.test(
		mediaType,
	);

/** Bytes with a NUL are no text; a type that names no text is believed unless its bytes are plain text to the last. */
function isBinary(mediaType: string, body: Uint8Array): boolean {
	if (body.length === 0) return false;
	if (body.subarray(0, sniffedBytes).includes(0)) return true;
	if (isTextType(mediaType)) return false;
	if (mediaType !== "" && mediaType !== "application/octet-stream") return true;
	return !isUtf8(body);
}

function isUtf8(body: Uint8Array): boolean {
	try {
		// `stream` leaves a character open that the cut at the byte limit has split.
		new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body, { stream: true });
		return true;
	} catch {
		return false;
	}
}

function markedCharset(body: Uint8Array): string | undefined {
	const [first, second, third] = body;
	if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
	if (first === 0xff && second === 0xfe) return "utf-16le";
	if (first === 0xfe && second === 0xff) return "utf-16be";
	return undefined;
}

const isWideCharset = (charset: string | undefined) => charset?.toLowerCase().startsWith("utf-16") === true;

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1];

function htmlCharset(mediaType: string, body: Uint8Array): string | undefined {
	if (mediaType !== "" && !/html|xml/.test(mediaType)) return undefined;
	const head = new TextDecoder("latin1").decode(body.subarray(0, sniffedBytes));
	const declaration = /<meta[^>]+charset[^>]*>|<\?xml[^>]+encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(head);
	// The declaration was read as one byte a character, so it cannot truly be UTF-16.
	const charset = declaration && (declaration[1] ?? charsetIn(declaration[0]));
	return charset && !isWideCharset(charset) ? charset : undefined;
}

const sniffText = (body: Uint8Array): string => {
	const start = new TextDecoder("latin1").decode(body.subarray(0, sniffedBytes)).trimStart().toLowerCase();
	return /^<!doctype html|^<html|^<head|^<body/.test(start) ? "text/html" : "text/plain";
};

function decoderFor(charset: string | undefined): TextDecoder {
	try {
		return new TextDecoder(charset ?? "utf-8");
	} catch {
		return new TextDecoder("utf-8");
	}
}
