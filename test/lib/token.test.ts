import { describe, expect, it } from "vitest";
import { sha256Hex, timingSafeEqual } from "../../src/lib/hash";
import { hashToken, newToken, parseToken } from "../../src/lib/token";

describe("a new token", () => {
	it("carries its id, and only its hash is kept", async () => {
		const { id, token, hash } = await newToken();
		expect(token).toMatch(/^oryx_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}[0-9a-f]{8}$/);
		expect(parseToken(token)).toEqual({ id });
		expect(hash).toBe(await sha256Hex(token));
		expect(hash).toBe(await hashToken(token));
	});

	it("is never made twice", async () => {
		const tokens = await Promise.all(Array.from({ length: 100 }, newToken));
		expect(new Set(tokens.map(({ token }) => token)).size).toBe(100);
		expect(new Set(tokens.map(({ id }) => id)).size).toBe(100);
	});
});

describe("parseToken", () => {
	it("finds every single mistyped letter", async () => {
		const { token } = await newToken();
		for (let at = 0; at < token.length; at++) {
			const other = token[at] === "a" ? "b" : "a";
			expect(parseToken(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
		}
	});

	it.each(["", "oryx_", "Bearer x", "oryx_abc_def"])("makes nothing of %j", (text) => {
		expect(parseToken(text)).toBeUndefined();
	});

	it("makes nothing of a token with something before or after it", async () => {
		const { token } = await newToken();
		for (const text of [` ${token}`, `${token}\n`, token + token, token.slice(1)])
			expect(parseToken(text)).toBeUndefined();
	});
});

it("compares tokens of any length by their hashes", async () => {
	const hash = async (text: string) => new TextEncoder().encode(await hashToken(text));
	const stored = await hash("admin-token");
	for (const [text, expected] of [
		["admin-token", true],
		["admin-toke", false],
		["", false],
		["x".repeat(5000), false],
	] as const) {
		expect(timingSafeEqual(await hash(text), stored)).toBe(expected);
	}
});
