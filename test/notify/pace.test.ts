import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notifiers } from "../../src/notify";
import { type Pace, parkUntil, readyAt, takeToken, wakingPace } from "../../src/notify/pace";

const rate = { burst: 4, perMinute: 13 };
const full: Pace = { tokens: 4, at: 0, parkedUntil: 0 };

/** When each of `count` messages goes, sent as soon as they may. */
function times(pace: Pace, count: number): number[] {
	let now = 0;
	let left = pace;
	return Array.from({ length: count }, () => {
		now = readyAt(left, rate, now);
		left = takeToken(left, rate, now);
		return now;
	});
}

describe("the pace of a channel", () => {
	it("lets a burst go at once and the rest one by one", () => {
		expect(times(full, 7)).toEqual([0, 0, 0, 0, 4616, 9231, 13847]);
	});

	it("never fills beyond the burst", () => {
		expect(readyAt({ tokens: 0, at: 0, parkedUntil: 0 }, rate, 3_600_000)).toBe(3_600_000);
		expect(takeToken({ tokens: 0, at: 0, parkedUntil: 0 }, rate, 3_600_000).tokens).toBe(3);
	});

	it("keeps within a provider's twenty a minute, whenever the messages come", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 80 }), (gaps) => {
				let pace = full;
				let now = 0;
				const sent = gaps.map((gap) => {
					now = readyAt(pace, rate, now + gap);
					pace = takeToken(pace, rate, now);
					return now;
				});
				for (const start of sent) {
					expect(sent.filter((at) => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(18);
				}
			}),
		);
	});

	it("is silent while it is parked", () => {
		const parked = parkUntil(full, 600_000);
		expect(readyAt(parked, rate, 1000)).toBe(600_000);
		expect(parkUntil(parked, 5).parkedUntil).toBe(600_000);
		expect(readyAt(parked, rate, 700_000)).toBe(700_000);
	});

	it("wakes with what ten quiet seconds bring, and still parked", () => {
		const woken = wakingPace(rate, { now: 0, parkedUntil: 9 });
		expect(woken.tokens).toBeCloseTo(13 / 6);
		expect(woken.parkedUntil).toBe(9);
		expect(wakingPace({ burst: 2, perMinute: 60 }, { now: 0, parkedUntil: 0 }).tokens).toBe(2);
	});

	it("stands still when the clock goes back", () => {
		expect(readyAt({ tokens: 1, at: 5000, parkedUntil: 0 }, rate, 0)).toBe(0);
		expect(takeToken({ tokens: 1, at: 5000, parkedUntil: 0 }, rate, 0).tokens).toBe(0);
	});
});

it.each([
	["wecom", 20],
	["dingtalk", 20],
	["feishu", 100],
	["discord", 30],
	["telegram", 20],
] as const)("%s stays within %i a minute", (type, limit) => {
	const { burst, perMinute } = notifiers[type].rate;
	expect(burst + perMinute).toBeLessThanOrEqual(limit);
});
