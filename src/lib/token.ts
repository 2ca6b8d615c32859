import { sha256Hex } from "./hash";
import { randomId } from "./uuid7";

const shape = /^oryx_([A-Za-z0-9]{12})_([A-Za-z0-9]{43})([0-9a-f]{8})$/;

/** A new API token: `token` is shown once, `id` finds its row, `hash` is all that is stored. */
export async function newToken(): Promise<{ id: string; token: string; hash: string }> {
	const id = randomId(12);
	// 43 letters and digits carry 256 bits.
	const body = `oryx_${id}_${randomId(43)}`;
	const token = body + checksum(body);
	return { id, token, hash: await hashToken(token) };
}

/** The id inside a well-formed token, or undefined: a mistyped token costs no look-up. */
export function parseToken(text: string): { id: string } | undefined {
	const match = shape.exec(text);
	const id = match?.[1];
	return id && checksum(text.slice(0, -8)) === match[3] ? { id } : undefined;
}

/** SHA-256 in hexadecimal digits; compare hashes of both sides with `timingSafeEqual`. */
export const hashToken = (text: string): Promise<string> => sha256Hex(text);

/** CRC-32 in eight hexadecimal digits: finds typing mistakes, promises nothing else. */
function checksum(text: string): string {
	let crc = 0xffffffff;
	for (const character of text) {
		crc ^= character.charCodeAt(0);
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return (~crc >>> 0).toString(16).padStart(8, "0");
}
