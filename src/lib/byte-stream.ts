/** Pieces as a stream of bytes, the only kind that passes from one object to another; each is asked for when there is room for it. */
export function byteStream(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
	const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
	return new ReadableStream({
		type: "bytes",
		async pull(controller) {
			let next = await iterator.next();
			// A stream of bytes takes no empty piece.
			while (!next.done && next.value.length === 0) next = await iterator.next();
			// A copy, since the stream takes the memory away from whoever else looks at it.
			if (!next.done) return controller.enqueue(new Uint8Array(next.value));
			controller.close();
			controller.byobRequest?.respond(0);
		},
		async cancel() {
			await iterator.return?.();
		},
	});
}
