import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallDeadline } from "../../../runner/src/servers/call-deadline";

describe("the deadline of a call", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("passes without a sign of life", () => {
		let passed = 0;
		new CallDeadline({ idleMs: 100, maxMs: 1_000 }, () => passed++);
		vi.advanceTimersByTime(99);
		expect(passed).toBe(0);
		vi.advanceTimersByTime(1);
		expect(passed).toBe(1);
	});

	it("moves with each sign of life, up to its end", () => {
		let passedAt = 0;
		const deadline = new CallDeadline({ idleMs: 100, maxMs: 250 }, () => {
			passedAt = performance.now();
		});
		const began = performance.now();
		const timer = setInterval(() => deadline.extend(), 50);
		vi.advanceTimersByTime(400);
		clearInterval(timer);
		expect(Math.round(passedAt - began)).toBe(251);
	});

	it("never passes once it is cleared", () => {
		let passed = 0;
		const deadline = new CallDeadline({ idleMs: 100, maxMs: 1_000 }, () => passed++);
		deadline.clear();
		vi.advanceTimersByTime(5_000);
		expect(passed).toBe(0);
	});
});
