import { describe, expect, it } from "vitest";
import { Backoff } from "../../../runner/src/servers/backoff";

describe("the wait before a server is started again", () => {
	it("doubles with each failure, up to a minute", () => {
		const backoff = new Backoff();
		const waits = Array.from({ length: 10 }, () => {
			backoff.failed({ hasAnswered: true, livedMs: 5, now: 1_000 });
			return backoff.waitMs(1_000);
		});
		expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
		expect(backoff.waitMs(60_999)).toBe(1);
		expect(backoff.waitMs(99_999)).toBe(0);
	});

	it("begins anew after a life that was long", () => {
		const backoff = new Backoff();
		for (const livedMs of [1, 1, 1, 60_000]) backoff.failed({ hasAnswered: true, livedMs, now: 0 });
		expect(backoff.waitMs(0)).toBe(250);
	});

	it("breaks after five starts without an answer, for five minutes", () => {
		const backoff = new Backoff();
		for (let starts = 0; starts < 4; starts++) backoff.failed({ hasAnswered: false, livedMs: 1, now: 0 });
		expect(backoff.isBroken).toBe(false);
		backoff.failed({ hasAnswered: false, livedMs: 1, now: 0 });
		expect([backoff.isBroken, backoff.waitMs(0)]).toEqual([true, 300_000]);
		backoff.clear();
		expect([backoff.isBroken, backoff.waitMs(0)]).toEqual([false, 0]);
	});
});
