export interface CappedBytes {
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** True when the body went on after `maxBytes`. */
	readonly truncated: boolean;
}

/** Reads at most `maxBytes` and cancels the rest. Throws the signal's reason as soon as it is aborted. */
export async function readCapped(
	body: ReadableStream<Uint8Array> | null,
	maxBytes: number,
	signal?: AbortSignal,
): Promise<CappedBytes> {
	if (!body) return { bytes: new Uint8Array(), truncated: false };
	const reader = body.getReader();
	// A cancelled reader ends its pending read, so no read can outlive the signal.
	const cancel = () => void reader.cancel(signal?.reason).catch(() => {});
	signal?.addEventListener("abort", cancel, { once: true });
	try {
		return await readUpTo(reader, maxBytes, signal);
	} finally {
		signal?.removeEventListener("abort", cancel);
		cancel();
	}
}

async function readUpTo(
	reader: ReadableStreamDefaultReader<Uint8Array>,
	maxBytes: number,
	signal: AbortSignal | undefined,
): Promise<CappedBytes> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for (;;) {
		signal?.throwIfAborted();
		const { done, value } = await reader.read();
		signal?.throwIfAborted();
		if (done) return { bytes: join(chunks, size), truncated: false };
		chunks.push(value);
		size += value.length;
		if (size > maxBytes) return { bytes: join(chunks, maxBytes), truncated: true };
	}
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(size);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk.subarray(0, size - offset), offset);
		offset += chunk.length;
	}
	return bytes;
}
