const prefixBytes = 4;

/** One part of a stream of byte strings: its length as four bytes, most significant first, then its bytes. */
export function lengthPrefixed(bytes: Uint8Array): Uint8Array {
	const part = new Uint8Array(prefixBytes + bytes.length);
	new DataView(part.buffer).setUint32(0, bytes.length);
	part.set(bytes, prefixBytes);
	return part;
}

/** The parts of a stream that `lengthPrefixed` wrote. Throws when one has over `maxBytes` bytes or the stream ends inside one. */
export async function* readLengthPrefixed(
	stream: AsyncIterable<Uint8Array>,
	{ maxBytes }: { maxBytes: number },
): AsyncGenerator<Uint8Array> {
	let pieces: Uint8Array[] = [];
	let held = 0;
	let due: number | undefined;
	for await (const piece of stream) {
		pieces.push(piece);
		held += piece.length;
		while (held >= (due ?? prefixBytes)) {
			const bytes = joined(pieces, held);
			if (due === undefined) {
				due = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
				if (due > maxBytes) throw new Error(`A part has ${due} bytes; at most ${maxBytes} are taken.`);
				pieces = [bytes.subarray(prefixBytes)];
				held -= prefixBytes;
			} else {
				yield bytes.subarray(0, due);
				pieces = [bytes.subarray(due)];
				held -= due;
				due = undefined;
			}
		}
	}
	if (held > 0 || due !== undefined) throw new Error("The stream ended inside a part.");
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
	const [only] = pieces;
	if (only && pieces.length === 1) return only;
	const whole = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		whole.set(piece, at);
		at += piece.length;
	}
	return whole;
}
