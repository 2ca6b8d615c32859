/** The end of a text in at most `maxBytes` bytes of UTF-8, and how many bytes before it were dropped. */
export function keepEnd(text: string, maxBytes: number): { text: string; droppedBytes: number } {
	const bytes = new TextEncoder().encode(text);
	if (bytes.length <= maxBytes) return { text, droppedBytes: 0 };
	let start = bytes.length - maxBytes;
	while (isContinuation(bytes[start])) start++;
	return {
		text: new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes.subarray(start)),
		droppedBytes: start,
	};
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
