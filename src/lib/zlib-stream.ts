import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createGzip, createInflateRaw } from "node:zlib";

/** Compressed bytes that are damaged, end too early or go on after their end. */
export class InflateError extends Error {
	override readonly name = "InflateError";
}

/**
 * What was compressed, piece by piece and no faster than it is taken. Throws InflateError.
 * Not by DecompressionStream: workerd's takes all input at once, so that a small bomb fills the memory before anyone counts.
 */
export async function* inflated(
	source: AsyncIterable<Uint8Array>,
	format: "gzip" | "deflate-raw",
): AsyncGenerator<Uint8Array, void, void> {
	const transform = format === "gzip" ? createGunzip() : createInflateRaw();
	let given = 0;
	async function* counted() {
		for await (const bytes of source) {
			given += bytes.length;
			yield bytes;
		}
	}
	try {
		yield* through(counted(), transform);
	} catch (error) {
		throw isZlibError(error) ? new InflateError(error.message, { cause: error }) : error;
	}
	if (transform.bytesWritten !== given) throw new InflateError("bytes follow after the end of the compressed data");
}

/** As a gzip stream, piece by piece and no faster than it is taken. */
export const gzipped = (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> =>
	through(source, createGzip());

async function* through(
	source: AsyncIterable<Uint8Array>,
	transform: Transform,
): AsyncGenerator<Uint8Array, void, void> {
	// Its errors destroy the transform, where they are thrown to whoever reads it.
	pipeline(Readable.from(source, { objectMode: false, highWaterMark: 1 }), transform, () => {});
	for await (const bytes of transform) yield bytes;
}

const isZlibError = (error: unknown): error is Error =>
	error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
