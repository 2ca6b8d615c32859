import { isRecord, listOf, recordOf, textOf } from "./json";

const unitsMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 } as const;
/** Longer than any vendor asks for: a number read in the wrong unit. */
const nonsenseMs = 31 * unitsMs.d;

/** The longest wait that an answer asks for, in milliseconds; undefined when it asks for none. */
export function retryAfterMs(headers: Headers | undefined, payload: unknown, now: number): number | undefined {
	const error = recordOf(recordOf(payload).error);
	const waits = [
		...headerWaits(headers ?? [], now),
		// OpenRouter puts the headers of the limit it hit itself into the body.
		...headerWaits(Object.entries(recordOf(recordOf(error.metadata).headers)), now),
		...listOf(error.details).map(retryInfoWait),
	].filter((wait) => wait !== undefined && wait >= 0 && wait < nonsenseMs);
	return waits.length === 0 ? undefined : Math.ceil(Math.max(...(waits as number[])));
}

function headerWaits(headers: Iterable<readonly [string, unknown]>, now: number): (number | undefined)[] {
	const values = new Map([...headers].map(([name, value]) => [name.toLowerCase(), textOf(value).trim()]));
	return [...values].map(([name, value]) => {
		if (name === "retry-after-ms") return value === "" ? undefined : Number(value);
		if (name === "retry-after") return durationMs(value) ?? dateWait(value, now);
		if (!name.startsWith("x-ratelimit-reset")) return undefined;
		// A limit of which something is left did not stop this request, however far off its reset.
		const remaining = values.get(name.replace("reset", "remaining"));
		return Number(remaining) > 0 ? undefined : resetWait(value, now);
	});
}

/** A reset is a duration (`1s`, `6m0s`), seconds from now, or a time: seconds or milliseconds since 1970, or a date. */
function resetWait(value: string, now: number): number | undefined {
	const number = value === "" ? Number.NaN : Number(value);
	if (number > 1e11) return number - now;
	if (number > 1e9) return number * 1000 - now;
	return durationMs(value) ?? dateWait(value, now);
}

function dateWait(value: string, now: number): number | undefined {
	const time = /[a-z:]/i.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/** Reads `48s`, `1m13.588s`, `11ms`, or a bare number as seconds. */
export function durationMs(text: string): number | undefined {
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * unitsMs.s;
	if (!/^(\d+(\.\d+)?(d|h|ms|us|µs|ns|m|s))+$/.test(text)) return undefined;
	let total = 0;
	for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(d|h|ms|us|µs|ns|m|s)/g)) {
		total += Number(number) * unitsMs[unit as keyof typeof unitsMs];
	}
	return total;
}

/** Google's `RetryInfo` detail. */
function retryInfoWait(detail: unknown): number | undefined {
	if (!isRecord(detail) || !textOf(detail["@type"]).endsWith("google.rpc.RetryInfo")) return undefined;
	return durationMs(textOf(detail.retryDelay));
}
