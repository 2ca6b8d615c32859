/** The bytes without a character of UTF-8 that is cut at their end, when `isCut` says that more follows. */
export function wholeCharacters(bytes: Uint8Array, isCut: boolean): Uint8Array {
	if (!isCut) return bytes;
	for (let back = 1; back <= Math.min(3, bytes.length); back++) {
		const byte = bytes[bytes.length - back] ?? 0;
		if ((byte & 0xc0) === 0x80) continue;
		return back < sequenceLength(byte) ? bytes.subarray(0, bytes.length - back) : bytes;
	}
	return bytes;
}

function sequenceLength(lead: number): number {
	if (lead >= 0xf0) return 4;
	if (lead >= 0xe0) return 3;
	return lead >= 0xc0 ? 2 : 1;
}
