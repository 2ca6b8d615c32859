import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, toBase64, toBase64Url } from "../../src/lib/hash";
import { open, seal } from "../../src/lib/seal";

const key = toBase64(new Uint8Array(32).fill(1));
const otherKey = toBase64(new Uint8Array(32).fill(2));
const place = "secrets|API_KEY|value";
const misconfigured = { name: "AppError", code: "misconfigured" };

describe("a sealed text", () => {
	it("opens to what it was, in its place", async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string(), async (plain, aad) => {
				expect(await open(key, aad, await seal(key, aad, plain))).toBe(plain);
			}),
		);
	});

	it("does not open in another place", async () => {
		const sealed = await seal(key, place, "hunter2");
		for (const moved of ["secrets|OTHER|value", "notify_channels|API_KEY|value", "secrets|API_KEY|url", ""]) {
			await expect(open(key, moved, sealed)).rejects.toMatchObject(misconfigured);
		}
	});

	it("does not open when a single bit was changed", async () => {
		const sealed = await seal(key, place, "hunter2");
		const [version, id, body = ""] = sealed.split(".");
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: fromBase64(body).length * 8 - 1 }), async (bit) => {
				const bytes = fromBase64(body);
				bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
				await expect(open(key, place, [version, id, toBase64Url(bytes)].join("."))).rejects.toMatchObject(
					misconfigured,
				);
			}),
		);
	});

	it("names both keys when it was sealed with another, and shows neither", async () => {
		const sealed = await seal(otherKey, place, "hunter2");
		const error: unknown = await open(key, place, sealed).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ ...misconfigured, message: expect.stringContaining(sealed.split(".")[1] ?? "?") });
		expect(String(error)).not.toContain(key);
		expect(await open(otherKey, place, sealed)).toBe("hunter2");
	});

	it("does not open under a key id that was rewritten", async () => {
		const [, ownId] = (await seal(key, place, "x")).split(".");
		const [version, , body] = (await seal(otherKey, place, "x")).split(".");
		await expect(open(key, place, [version, ownId, body].join("."))).rejects.toMatchObject(misconfigured);
	});

	it("never uses an IV twice", async () => {
		const sealed = await Promise.all(Array.from({ length: 1000 }, () => seal(key, place, "same")));
		const ivs = sealed.map((text) => toBase64(fromBase64(text.split(".")[2] ?? "").subarray(0, 12)));
		expect(new Set(ivs).size).toBe(1000);
		expect(ivs.every((iv) => fromBase64(iv).length === 12)).toBe(true);
	});

	it("shows nothing of its text", async () => {
		expect(await seal(key, place, "hunter2")).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
	});

	it.each(["", "hunter2", "v2.00000000.AAAA", "v1", "v1.00000000.***"])("is not %j", async (text) => {
		await expect(open(key, place, text)).rejects.toMatchObject(misconfigured);
	});
});

describe("the master key", () => {
	it.each(["", "short", toBase64(new Uint8Array(31)), toBase64(new Uint8Array(33)), "x".repeat(44)])(
		"must be 32 bytes in base64, and is not shown: %j",
		async (wrong) => {
			const error: unknown = await seal(wrong, place, "x").catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({ ...misconfigured, message: expect.stringContaining("openssl rand -base64 32") });
			if (wrong) expect(String(error)).not.toContain(wrong);
		},
	);

	it("is taken in either alphabet", async () => {
		const bytes = new Uint8Array(32).fill(0xfb);
		expect(await open(toBase64(bytes), place, await seal(toBase64(bytes), place, "x"))).toBe("x");
		expect(await open(toBase64Url(bytes), place, await seal(toBase64Url(bytes), place, "x"))).toBe("x");
	});
});
