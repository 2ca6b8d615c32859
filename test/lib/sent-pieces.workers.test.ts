import { describe, expect, it } from "vitest";
import { sentPieces } from "../../src/lib/sent-pieces";

/** Makes pieces and takes each away again, as the file system does, and tells what became of it. */
function source(count: number) {
	const seen = { made: 0, isOver: false };
	function* pieces() {
		try {
			for (; seen.made < count; seen.made++) {
				const piece = new Uint8Array(100_000).fill(seen.made + 1);
				yield piece;
				piece.buffer.transfer(0);
			}
		} finally {
			seen.isOver = true;
		}
	}
	return { pieces: pieces(), seen };
}

describe("pieces that are sent", () => {
	it("arrive whole, each before the next is made", async () => {
		const bytes = new Uint8Array(await new Response(sentPieces(source(5).pieces)).arrayBuffer());
		expect(bytes.length).toBe(500_000);
		expect([0, 1, 2, 3, 4].map((at) => new Set(bytes.subarray(100_000 * at, 100_000 * (at + 1))))).toEqual(
			[1, 2, 3, 4, 5].map((value) => new Set([value])),
		);
	});

	it("are no more made than they are taken", async () => {
		const { pieces, seen } = source(1_000);
		const reader = sentPieces(pieces).getReader();
		await reader.read();
		expect(seen.made).toBeLessThan(3);
		await reader.cancel();
	});

	it("are let go when the reader leaves", async () => {
		const { pieces, seen } = source(1_000);
		await sentPieces(pieces).cancel();
		await expect.poll(() => seen.isOver).toBe(true);
	});

	it("break the stream with what they throw", async () => {
		const broken = (function* () {
			yield new Uint8Array(10);
			throw new Error("a chunk is missing");
		})();
		await expect(new Response(sentPieces(broken)).arrayBuffer()).rejects.toThrow("a chunk is missing");
	});
});
