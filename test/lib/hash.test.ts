import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, hmacSha256, sha256Hex, timingSafeEqual, toBase64, toBase64Url, toHex } from "../../src/lib/hash";

const bytes = fc.uint8Array({ maxLength: 100 });

describe("digests", () => {
	it("agree with Node's on text and bytes", async () => {
		await fc.assert(
			fc.asyncProperty(bytes, fc.string({ unit: "grapheme" }), async (data, text) => {
				expect(await sha256Hex(data)).toBe(createHash("sha256").update(data).digest("hex"));
				expect(await sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
				expect(toHex(await hmacSha256(data, text))).toBe(createHmac("sha256", data).update(text).digest("hex"));
				expect(toHex(await hmacSha256(text, data))).toBe(createHmac("sha256", text).update(data).digest("hex"));
			}),
		);
	});

	it("take an empty key and an empty message", async () => {
		expect(toHex(await hmacSha256("", ""))).toBe(createHmac("sha256", "").update("").digest("hex"));
	});

	it("sign as Feishu does, key and message swapped", async () => {
		const signature = await hmacSha256("1700000000\ndemoFeishuSecret", "");
		expect(toBase64(signature)).toBe("2vg3HjBNqw0mZFpBn09APUCnV0tTJf8rEe3ke9gLJPw=");
	});
});

describe("base64", () => {
	it("agrees with Node's and reads back both alphabets", () => {
		fc.assert(
			fc.property(bytes, (data) => {
				expect(toBase64(data)).toBe(Buffer.from(data).toString("base64"));
				expect(toBase64Url(data)).toBe(Buffer.from(data).toString("base64url"));
				expect(fromBase64(toBase64(data))).toEqual(data);
				expect(fromBase64(toBase64Url(data))).toEqual(data);
			}),
		);
	});

	it("takes a megabyte", () => {
		const data = new Uint8Array(1_000_000).fill(7);
		expect(fromBase64(toBase64(data))).toEqual(data);
	});

	it("throws on what is none", () => {
		expect(() => fromBase64("a b*")).toThrow();
	});
});

describe("timingSafeEqual", () => {
	it("is true for equal bytes alone, and false on unequal lengths", () => {
		fc.assert(
			fc.property(bytes, bytes, (a, b) => {
				expect(timingSafeEqual(a, Uint8Array.from(a))).toBe(true);
				expect(timingSafeEqual(a, b)).toBe(Buffer.compare(a, b) === 0);
			}),
		);
		expect(timingSafeEqual(new Uint8Array([1, 0]), new Uint8Array([1]))).toBe(false);
		expect(timingSafeEqual(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false);
	});
});
