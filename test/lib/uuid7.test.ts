import { describe, expect, it } from "vitest";
import { randomId, uuid7 } from "../../src/lib/uuid7";

describe("uuid7", () => {
	it("has the form of version 7 and carries the time", () => {
		const id = uuid7(1_700_000_000_123);
		expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(1_700_000_000_123);
	});

	it("sorts by time, and by order of making within one millisecond", () => {
		const now = 1_800_000_000_000;
		const ids = [uuid7(now - 1), ...Array.from({ length: 10_000 }, () => uuid7(now)), uuid7(now + 10)];
		expect(ids.toSorted()).toEqual(ids);
		expect(new Set(ids).size).toBe(ids.length);
	});
});

describe("randomId", () => {
	it("has the asked length and letters and digits alone", () => {
		for (const length of [1, 16, 43, 200]) expect(randomId(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
	});

	it("uses every letter about equally often", () => {
		const counts = new Map<string, number>();
		for (const letter of randomId(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
		expect(counts.size).toBe(62);
		expect(Math.min(...counts.values())).toBeGreaterThan(800);
		expect(Math.max(...counts.values())).toBeLessThan(1200);
	});
});
