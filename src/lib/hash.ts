const encoder = new TextEncoder();

/** Text as UTF-8; bytes as a copy that WebCrypto accepts. */
const bytesOf = (data: string | Uint8Array) => (typeof data === "string" ? encoder.encode(data) : new Uint8Array(data));

/** SHA-256 in lower-case hexadecimal digits; text is taken as UTF-8. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(data))));
}

/** The 32 bytes of HMAC-SHA256; an empty key or message is allowed. */
export async function hmacSha256(key: string | Uint8Array, message: string | Uint8Array): Promise<Uint8Array> {
	// WebCrypto refuses a key of no bytes; HMAC pads short keys with zeros, so one zero byte is the same key.
	const raw = key.length === 0 ? new Uint8Array(1) : bytesOf(key);
	const imported = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(message)));
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) text += hexOfByte[byte];
	return text;
}

/** The bytes of an even number of hexadecimal digits. */
export const fromHex = (digits: string): Uint8Array =>
	Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
		Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
	);

/** Standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
	let binary = "";
	// One spread of everything would overflow the stack on large input.
	for (let start = 0; start < bytes.length; start += 8192) {
		binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
	}
	return btoa(binary);
}

/** URL-safe alphabet, without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
	toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** Reads either alphabet, padded or not. Throws a TypeError or DOMException when it is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
	return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Compares without telling by its duration where two byte strings differ; false when their lengths do. */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
	if (a.length !== b.length) return false;
	let difference = 0;
	for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
	return difference === 0;
}
