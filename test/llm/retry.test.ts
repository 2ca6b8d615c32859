import { expect, it } from "vitest";
import { ModelError } from "../../src/llm/provider";
import { retryDecision } from "../../src/llm/retry";

const failure = (retryable: boolean, retryAfterMs?: number) =>
	new ModelError("rate_limited", "Slow down.", { retryable, retryAfterMs });

it("tries again only what may be mended, five times in all", () => {
	expect(retryDecision(failure(false), 1, 0.5)).toEqual({ retry: false });
	expect(retryDecision(failure(true), 4, 0.5).retry).toBe(true);
	expect(retryDecision(failure(true), 5, 0.5)).toEqual({ retry: false });
});

it("doubles the wait, half of it by chance", () => {
	const waits = (random: number) => [1, 2, 3, 4].map((attempt) => retryDecision(failure(true), attempt, random));
	expect(waits(0)).toEqual([500, 1000, 2000, 4000].map((delayMs) => ({ retry: true, delayMs })));
	expect(waits(0.999_999)).toEqual([1000, 2000, 4000, 8000].map((delayMs) => ({ retry: true, delayMs })));
});

it("waits at least as long as the vendor asked, however long that is", () => {
	expect(retryDecision(failure(true, 7_200_000), 1, 0)).toEqual({ retry: true, delayMs: 7_200_000 });
	expect(retryDecision(failure(true, 7_200_000), 1, 0.5)).toEqual({ retry: true, delayMs: 7_200_500 });
	expect(retryDecision(failure(true, 10), 3, 0)).toEqual({ retry: true, delayMs: 2000 });
});
