const bufferBytes = 65_536;

/**
 * The pieces of a native stream, each read into the same memory: a piece lasts until the next is asked for. A stream that is
 * left is cancelled. Read in the usual way, each piece is memory that V8 does not see the size of until 64 MB lie there.
 */
export async function* inOneBuffer(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
	const reader = stream.getReader({ mode: "byob" });
	try {
		let view = new Uint8Array(bufferBytes);
		for (;;) {
			const { done, value } = await reader.readAtLeast(bufferBytes, view);
			if (value && value.length > 0) yield value;
			if (done || !value || value.length < bufferBytes) return;
			view = value;
		}
	} finally {
		await reader.cancel();
	}
}
