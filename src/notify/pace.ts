import type { Notifier } from "./notifier";

/** A channel's token bucket, and the time until which its provider wants silence. Times are milliseconds since 1970. */
export interface Pace {
	readonly tokens: number;
	readonly at: number;
	readonly parkedUntil: number;
}

export type Rate = Notifier["rate"];

/** The platform puts an object to sleep after at least this long without work. */
const quietMs = 10_000;

/** The pace of an object that wakes: the tokens of its quiet time are surely there, so none need be stored. */
export const wakingPace = (rate: Rate, { now, parkedUntil }: { now: number; parkedUntil: number }): Pace => ({
	tokens: Math.max(1, Math.min(rate.burst, quietMs / msPerToken(rate))),
	at: now,
	parkedUntil,
});

/** When the next message may go. */
export function readyAt(pace: Pace, rate: Rate, now: number): number {
	const missing = 1 - tokensAt(pace, rate, now);
	const refilled = missing <= 0 ? now : now + Math.ceil(missing * msPerToken(rate));
	return Math.max(refilled, pace.parkedUntil);
}

export const takeToken = (pace: Pace, rate: Rate, now: number): Pace => ({
	...pace,
	tokens: tokensAt(pace, rate, now) - 1,
	at: now,
});

export const parkUntil = (pace: Pace, until: number): Pace => ({
	...pace,
	parkedUntil: Math.max(pace.parkedUntil, until),
});

const msPerToken = ({ perMinute }: Rate) => 60_000 / perMinute;

const tokensAt = ({ tokens, at }: Pace, rate: Rate, now: number) =>
	Math.min(rate.burst, tokens + Math.max(0, now - at) / msPerToken(rate));
