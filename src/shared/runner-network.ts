import * as z from "zod";

/** Where a program finds its proxy, in a network namespace that holds nothing else. */
export const proxyPort = 3128;
export const proxyAddress = `http://127.0.0.1:${proxyPort}`;

/** What decides where a program may go: the entries of the HTTP list, and loopback in development only. */
export const networkRules = z.strictObject({
	entries: z.array(z.string().max(1_024)).max(100_000),
	allowLoopback: z.boolean(),
});
export type NetworkRules = z.output<typeof networkRules>;

/** A host that a program asked for, with all that went there and came from there. */
export const reachedHost = z.object({
	/** With its port where that is not the default one. */
	host: z.string().max(300),
	/** `allowed`, or the reason against it: a word of the URL gate, `unreachable` or `over_limit`. */
	verdict: z.string().max(64),
	bytes: z.number().int().nonnegative(),
});
export type ReachedHost = z.output<typeof reachedHost>;

/** What became of the network that a request opened. */
export const networkOutcome = z.union([
	z.object({
		hosts: z.array(reachedHost),
		/** A sentence for each refusal, which says how to allow it where that can be done. */
		refusals: z.array(z.string().max(1_000)),
	}),
	/** Why there was none. */
	z.object({ unavailable: z.string() }),
]);
export type NetworkOutcome = z.output<typeof networkOutcome>;

const maxHosts = 50;

/** One entry for each host and verdict; of too many those that were reached are kept before those that were not. */
export function sumHosts(all: readonly ReachedHost[]): ReachedHost[] {
	const groups = Map.groupBy(all, ({ host, verdict }) => `${verdict} ${host}`);
	const sums = [...groups.values()].flatMap((group) => {
		const bytes = group.reduce((sum, one) => sum + one.bytes, 0);
		return group.slice(0, 1).map((first) => ({ ...first, bytes }));
	});
	return sums.sort((a, b) => rank(a) - rank(b) || b.bytes - a.bytes).slice(0, maxHosts);
}

const rank = ({ verdict }: ReachedHost): number => (verdict === "allowed" ? 0 : 1);
