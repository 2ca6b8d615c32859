import { describe, expect, it } from "vitest";
import { inOneBuffer } from "../../src/lib/in-one-buffer";

/** A native stream of these pieces, and what their writer heard. */
function streamOf(pieces: readonly Uint8Array[], end: "close" | "abort" = "close") {
	const { readable, writable } = new IdentityTransformStream();
	const writer = writable.getWriter();
	const written = (async () => {
		for (const piece of pieces) await writer.write(piece);
		await (end === "close" ? writer.close() : writer.abort(new Error("broken off")));
	})();
	return { stream: readable, written };
}

const numbered = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

describe("reading a stream into one buffer", () => {
	it.each([0, 1, 65_535, 65_536, 65_537, 300_000])("gives all of %i bytes", async (length) => {
		const bytes = numbered(length);
		const pieces = Array.from({ length: Math.ceil(length / 1_000) }, (_, at) =>
			bytes.slice(1_000 * at, 1_000 * (at + 1)),
		);
		const { stream, written } = streamOf(pieces);
		const read: Uint8Array[] = [];
		for await (const piece of inOneBuffer(stream)) read.push(piece.slice());
		await written;
		expect(new Uint8Array(await new Blob(read).arrayBuffer())).toEqual(bytes);
		expect(read.every((piece) => piece.length > 0)).toBe(true);
	});

	it("uses one memory for all pieces", async () => {
		const { stream } = streamOf([numbered(200_000)]);
		const read: Uint8Array[] = [];
		for await (const piece of inOneBuffer(stream)) read.push(piece);
		expect(read.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0, 65_536]);
	});

	it("throws what the stream broke with", async () => {
		const { stream, written } = streamOf([numbered(10)], "abort");
		written.catch(() => {});
		await expect(inOneBuffer(stream).next()).rejects.toThrow("broken off");
	});

	it("cancels a stream that is left", async () => {
		const { stream, written } = streamOf([numbered(100_000), numbered(100_000)]);
		const refused = expect(written).rejects.toThrow();
		for await (const _ of inOneBuffer(stream)) break;
		await refused;
	});
});
