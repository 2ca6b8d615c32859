import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lengthPrefixed, readLengthPrefixed } from "../../src/lib/length-prefixed";

describe("length-prefixed parts", () => {
	it("come out as they went in, however the stream is cut", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ maxLength: 40 })),
				fc.integer({ min: 1, max: 9 }),
				async (given, step) => {
					const whole = Buffer.concat(given.map(lengthPrefixed));
					async function* cut() {
						for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step);
					}
					const read: Uint8Array[] = [];
					for await (const part of readLengthPrefixed(cut(), { maxBytes: 100 })) read.push(new Uint8Array(part));
					expect(read).toEqual(given.map((bytes) => new Uint8Array(bytes)));
				},
			),
		);
	});
});
