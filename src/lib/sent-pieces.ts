/** Pieces as a native stream, which copies none of them: each lasts until it is taken, and then the next is made. */
export function sentPieces(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
	const { readable, writable } = new IdentityTransformStream();
	void send(pieces, writable.getWriter());
	return readable;
}

async function send(pieces: Iterable<Uint8Array>, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
	try {
		for (const piece of pieces) await writer.write(piece);
		await writer.close();
	} catch (error) {
		// Nothing comes of it where it is the reader who has gone.
		await writer.abort(error).catch(() => {});
	}
}
