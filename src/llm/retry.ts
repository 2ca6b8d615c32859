import type { ModelError } from "./provider";

export type RetryDecision = { readonly retry: true; readonly delayMs: number } | { readonly retry: false };

const maxAttempts = 5;
const firstDelayMs = 1000;

/**
 * Whether a failed call is made again, and after how long. `attempt` counts the calls made so far, from 1; `random` is in [0, 1).
 * What the vendor asked for is the least, however long; otherwise the wait doubles, half of it by chance.
 */
export function retryDecision(error: ModelError, attempt: number, random: number): RetryDecision {
	if (!error.retryable || attempt >= maxAttempts) return { retry: false };
	const backoffMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + random / 2);
	// Clients that were turned away together should not come back together.
	const askedMs = error.retryAfterMs === undefined ? 0 : error.retryAfterMs + random * firstDelayMs;
	return { retry: true, delayMs: Math.ceil(Math.max(backoffMs, askedMs)) };
}
