import { toHex } from "./hash";

const last = { at: 0, counter: 0 };

/**
 * A UUID of version 7 (RFC 9562): sorts by time, and by order of making within one millisecond and isolate.
 * The counter matters on Workers, where the clock stands still while code runs.
 */
export function uuid7(now: number = Date.now()): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	const counter = now === last.at ? last.counter + 1 : ((bytes[6] ?? 0) << 3) | ((bytes[7] ?? 0) & 0x07);
	Object.assign(last, { at: now, counter });
	const view = new DataView(bytes.buffer);
	// Past 4,096 in one millisecond the count runs on into the time, so that order holds.
	const time = now + (counter >>> 12);
	view.setUint32(0, Math.floor(time / 0x1_0000));
	view.setUint16(4, time % 0x1_0000);
	view.setUint16(6, 0x7000 | (counter & 0x0fff));
	view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
	return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random letters and digits, each of 5.95 bits. */
export function randomId(length = 16): string {
	let id = "";
	while (id.length < length) {
		for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
			// 248 is the last multiple of 62: a higher byte would favour the first letters.
			if (byte < 248 && id.length < length) id += alphabet[byte % 62];
		}
	}
	return id;
}
