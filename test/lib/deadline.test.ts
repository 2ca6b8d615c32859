import { describe, expect, it, vi } from "vitest";
import { withDeadline } from "../../src/lib/deadline";

const never = new AbortController().signal;

describe("withDeadline", () => {
	it("answers what ran in time, and leaves no timer and no listener", async () => {
		vi.useFakeTimers();
		try {
			const outer = new AbortController();
			let inner: AbortSignal | undefined;
			const answer = await withDeadline(outer.signal, 1000, async (signal) => {
				inner = signal;
				return 42;
			});
			expect(answer).toBe(42);
			expect(vi.getTimerCount()).toBe(0);
			outer.abort();
			expect(inner?.aborted).toBe(false);
		} finally {
			vi.useRealTimers();
		}
	});

	it("ends what does not listen, and tells it by its signal", async () => {
		let signal: AbortSignal | undefined;
		const running = withDeadline(never, 10, (given) => {
			signal = given;
			return new Promise(() => {});
		});
		await expect(running).rejects.toMatchObject({ name: "DeadlinePassed", timeoutMs: 10 });
		expect(signal?.aborted).toBe(true);
	});

	it("throws the outer signal's reason, and does not start under one that is aborted", async () => {
		const outer = new AbortController();
		const running = withDeadline(outer.signal, 1000, () => new Promise(() => {}));
		outer.abort(new Error("stop"));
		await expect(running).rejects.toThrow("stop");
		let started = false;
		const late = withDeadline(outer.signal, 1000, async () => {
			started = true;
		});
		await expect(late).rejects.toThrow("stop");
		expect(started).toBe(false);
	});

	it("passes on a failure", async () => {
		await expect(withDeadline(never, 1000, () => Promise.reject(new Error("own")))).rejects.toThrow("own");
	});
});
