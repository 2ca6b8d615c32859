export interface CappedStream {
	readonly stream: ReadableStream<Uint8Array>;
	/** What the stream broke with, once it has. */
	failure(): unknown;
}

/**
 * A body that may give at most `maxBytes` and breaks with `tooMany` after them; an aborted signal breaks it too.
 * It is a stream of bytes, since only those pass from one object to another.
 */
export function cappedStream(
	body: ReadableStream<Uint8Array> | null,
	{ maxBytes, signal, tooMany }: { maxBytes: number; signal: AbortSignal; tooMany: () => Error },
): CappedStream {
	const reader = body?.getReader();
	let size = 0;
	let failure: unknown;
	const give = (reason: unknown) => {
		failure ??= reason;
		void reader?.cancel(reason).catch(() => {});
		return failure;
	};
	const readNext = async () => {
		signal.throwIfAborted();
		const next = await reader?.read();
		signal.throwIfAborted();
		size += next?.value?.length ?? 0;
		if (size > maxBytes) throw tooMany();
		return next?.value;
	};
	const stream = new ReadableStream({
		type: "bytes",
		start(controller) {
			signal.addEventListener("abort", () => controller.error(give(signal.reason)), { once: true });
		},
		async pull(controller) {
			try {
				const bytes = await readNext();
				if (bytes) return controller.enqueue(new Uint8Array(bytes));
				controller.close();
				controller.byobRequest?.respond(0);
			} catch (error) {
				controller.error(give(error));
			}
		},
		cancel: (reason) => reader?.cancel(reason),
	});
	return { stream, failure: () => failure };
}
