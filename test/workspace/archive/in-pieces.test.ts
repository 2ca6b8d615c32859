import { describe, expect, it } from "vitest";
import { inPieces } from "../../../src/workspace/archive/in-pieces";

const bytes = Uint8Array.from({ length: 1_200_000 }, (_, index) => (index * 31) % 251);

function counted() {
	const reads: number[] = [];
	const file = inPieces({
		size: bytes.length,
		async read(offset, length) {
			reads.push(offset);
			return bytes.subarray(offset, offset + length);
		},
	});
	return { file, reads };
}

describe("a file read in pieces", () => {
	it.each([
		[0, 30],
		[524_280, 20],
		[100, 1_100_000],
		[1_199_990, 10],
		[1_199_990, 50],
		[1_200_000, 5],
		[3_000_000, 5],
		[7, 0],
	])("is the same from %i, %i bytes long", async (offset, length) => {
		const { file } = counted();
		expect(Buffer.from(await file.read(offset, length)).equals(bytes.subarray(offset, offset + length))).toBe(true);
	});

	it("reads each piece once when it is read onwards", async () => {
		const { file, reads } = counted();
		for (let at = 0; at < bytes.length; at += 1_000) await file.read(at, 1_000);
		expect(reads).toEqual([0, 524_288, 1_048_576]);
	});
});
