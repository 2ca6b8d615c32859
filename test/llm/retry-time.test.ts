import { describe, expect, it } from "vitest";
import { durationMs, retryAfterMs } from "../../src/llm/retry-time";

const now = Date.UTC(2026, 10, 30, 12, 0, 0);
const wait = (headers: Record<string, string>, payload: unknown = {}) =>
	retryAfterMs(new Headers(headers), payload, now);

describe("the wait that an answer asks for", () => {
	it.each<[Record<string, string>, number | undefined]>([
		[{}, undefined],
		[{ "retry-after": "2" }, 2000],
		[{ "retry-after": "0.5" }, 500],
		[{ "retry-after": "Mon, 30 Nov 2026 12:01:30 GMT" }, 90_000],
		[{ "retry-after": "Mon, 30 Nov 2026 11:00:00 GMT" }, 0],
		[{ "retry-after": "soon" }, undefined],
		[{ "retry-after": "-5" }, undefined],
		[{ "retry-after-ms": "250" }, 250],
		[{ "retry-after-ms": "" }, undefined],
		[{ "retry-after-ms": "0", "retry-after": "1" }, 1000],
		[{ "x-ratelimit-reset": String(now + 5000) }, 5000],
		[{ "x-ratelimit-reset": String(now / 1000 + 5) }, 5000],
		[{ "x-ratelimit-reset": "2026-11-30T12:00:07Z" }, 7000],
		[{ "x-ratelimit-reset": "12.5" }, 12_500],
		[{ "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-reset-tokens": "11ms" }, 360_000],
		[{ "x-ratelimit-reset-tokens": "7.66s", "retry-after": "2" }, 7660],
		[{ "x-ratelimit-reset-requests": "1d", "x-ratelimit-remaining-requests": "0" }, 86_400_000],
		[{ "x-ratelimit-reset-requests": "1d", "x-ratelimit-remaining-requests": "3", "retry-after": "2" }, 2000],
		[{ "x-ratelimit-limit-requests": "99" }, undefined],
		[{ "retry-after": "99999999999" }, undefined],
	])("reads %j as %s ms", (headers, expected) => {
		expect(wait(headers)).toBe(expected);
	});

	it("reads Google's RetryInfo and the headers inside OpenRouter's body, and takes the longest", () => {
		const details = [
			{ "@type": "type.googleapis.com/google.rpc.Help" },
			{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "48s" },
		];
		expect(wait({ "retry-after": "3" }, { error: { details } })).toBe(48_000);
		const metadata = { headers: { "X-RateLimit-Reset": String(now + 60_000), "X-RateLimit-Remaining": "0" } };
		expect(wait({}, { error: { metadata } })).toBe(60_000);
	});

	it("reads durations", () => {
		expect(durationMs("1h2m3.5s")).toBe(3_723_500);
		expect(durationMs("6ms")).toBe(6);
		expect(durationMs("90")).toBe(90_000);
		expect(durationMs("")).toBeUndefined();
		expect(durationMs("5 parsecs")).toBeUndefined();
	});
});
