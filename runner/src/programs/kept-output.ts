import type { Readable } from "node:stream";

export interface KeptOutput {
	/** Resolves at the end of the stream. */
	readonly drained: Promise<void>;
	/** Bytes that came after what is kept. */
	readonly droppedBytes: () => number;
}

export interface KeepOptions {
	/** The beginning of a stream is kept, up to so much; the rest is read and counted. */
	readonly keptBytes: number;
	readonly onKept: (bytes: Uint8Array) => void;
	/** Called once, when this much came in all. */
	readonly mostBytes: number;
	readonly onMost: () => void;
}

/** Reads a stream to its end, so that who writes it never waits, and hands on its beginning. Never throws. */
export function keepOutput(stream: Readable, { keptBytes, onKept, mostBytes, onMost }: KeepOptions): KeptOutput {
	const { promise, resolve } = Promise.withResolvers<void>();
	let total = 0;
	stream.on("data", (bytes: Uint8Array) => {
		const room = Math.max(0, keptBytes - total);
		if (room > 0) onKept(bytes.subarray(0, room));
		if (total < mostBytes && total + bytes.length >= mostBytes) onMost();
		total += bytes.length;
	});
	stream.on("close", resolve);
	return { drained: promise, droppedBytes: () => Math.max(0, total - keptBytes) };
}
