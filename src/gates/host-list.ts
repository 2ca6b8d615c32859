import { type HostEntry, parseHostEntry } from "./host-entry";

type ByHost = ReadonlyMap<string, readonly HostEntry[]>;

interface HostList {
	readonly exact: ByHost;
	/** Wildcards by the host that they stand below. */
	readonly below: ByHost;
}

// A snapshot's list is one array for its whole life, so it is parsed once and forgotten with it.
const parsed = new WeakMap<readonly string[], HostList>();

/** The entries that hold `hostname`. One that cannot be read holds nothing. */
export function entriesFor(list: readonly string[], hostname: string): readonly HostEntry[] {
	const { exact, below } = hostList(list);
	const found = [...(exact.get(hostname) ?? [])];
	if (below.size === 0 || hostname.startsWith("[")) return found;
	for (let dot = hostname.indexOf("."); dot >= 0; dot = hostname.indexOf(".", dot + 1)) {
		found.push(...(below.get(hostname.slice(dot + 1)) ?? []));
	}
	return found;
}

function hostList(list: readonly string[]): HostList {
	const known = parsed.get(list);
	if (known) return known;
	const entries = list.flatMap((text) => {
		const result = parseHostEntry(text);
		return result.ok ? [result.entry] : [];
	});
	const made = {
		exact: Map.groupBy(
			entries.filter((entry) => !entry.wildcard),
			(entry) => entry.host,
		),
		below: Map.groupBy(
			entries.filter((entry) => entry.wildcard),
			(entry) => entry.host,
		),
	};
	parsed.set(list, made);
	return made;
}
