import { deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { gzipped, InflateError, inflated } from "../../src/lib/zlib-stream";

async function* slices(bytes: Uint8Array, length = 1_000) {
	for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
	const found: Uint8Array[] = [];
	for await (const piece of pieces) found.push(piece);
	return new Uint8Array(Buffer.concat(found));
}

const text = Buffer.from("high water ".repeat(50_000));
const damaged = (bytes: Uint8Array) => bytes.map((byte, index) => (index === bytes.length - 8 ? byte ^ 1 : byte));

/** The same in Node and in workerd, whose zlib is another. */
export function describeZlibStream(): void {
	it("gives back what was compressed", async () => {
		expect(Buffer.from(await all(inflated(slices(gzipSync(text)), "gzip"))).equals(text)).toBe(true);
		expect(Buffer.from(await all(inflated(slices(deflateRawSync(text)), "deflate-raw"))).equals(text)).toBe(true);
		expect(Buffer.from(gunzipSync(await all(gzipped(slices(text))))).equals(text)).toBe(true);
	});

	it("takes several gzips in a row for one, as gunzip does", async () => {
		const both = Buffer.concat([gzipSync("a"), gzipSync("b")]);
		expect(String(Buffer.from(await all(inflated(slices(both), "gzip"))))).toBe("ab");
	});

	it.each([
		["is cut", gzipSync(text).subarray(0, -3)],
		["is cut before its checksum", gzipSync(text).subarray(0, -8)],
		["has a wrong checksum", damaged(gzipSync(text))],
		["has something behind it", Buffer.concat([gzipSync(text), Buffer.from("more")])],
		["has zeros behind it", Buffer.concat([gzipSync(text), Buffer.alloc(5)])],
		["is no gzip", text],
		["is empty", Buffer.alloc(0)],
	])("refuses a gzip that %s", async (_, bytes) => {
		await expect(all(inflated(slices(bytes), "gzip"))).rejects.toThrow(InflateError);
	});

	it("refuses what follows after the end of a deflate stream", async () => {
		const bytes = Buffer.concat([deflateRawSync(text), Buffer.from("more")]);
		await expect(all(inflated(slices(bytes), "deflate-raw"))).rejects.toThrow(InflateError);
	});

	it("takes no more than is asked for, so that a bomb costs what is read of it", async () => {
		const one = gzipSync(Buffer.alloc(50_000_000));
		const bomb = Buffer.concat(Array.from({ length: 10 }, () => one));
		let given = 0;
		async function* source() {
			for await (const piece of slices(bomb)) {
				given += piece.length;
				yield piece;
			}
		}
		let taken = 0;
		for await (const piece of inflated(source(), "gzip")) {
			taken += piece.length;
			if (taken > 1_000_000) break;
		}
		expect(given).toBeLessThan(bomb.length / 4);
	});

	it("breaks with its source", async () => {
		async function* source() {
			yield gzipSync(text).subarray(0, 100);
			throw new TypeError("Network connection lost.");
		}
		await expect(all(inflated(source(), "gzip"))).rejects.toThrow("Network connection lost.");
	});
}
