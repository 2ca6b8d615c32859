import ipaddr from "ipaddr.js";

/** What the host of a parsed URL is; only `name` and `public-address` lie on the public internet. */
export type HostKind =
	| "name"
	| "public-address"
	| "private-address"
	| "reserved-name"
	| "loopback-address"
	| "loopback-name";

/** Names that never leave a machine or a local network; each with everything below it. */
const reservedNames = ["local", "internal", "localdomain", "home.arpa"];

/** Azure's wire server: ordinary unicast to every range table. */
const metadataAddress = "168.63.129.16";

/** Takes `URL.hostname`, where the parser has already turned every odd spelling of an address into the plain one. */
export function hostKind(hostname: string): HostKind {
	if (hostname.startsWith("[")) return addressKind(hostname.slice(1, -1));
	if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return addressKind(hostname);
	if (isAtOrBelow(hostname, "localhost")) return "loopback-name";
	return reservedNames.some((name) => isAtOrBelow(hostname, name)) ? "reserved-name" : "name";
}

const isAtOrBelow = (hostname: string, name: string) => hostname === name || hostname.endsWith(`.${name}`);

function addressKind(literal: string): HostKind {
	if (!ipaddr.isValid(literal) || literal === metadataAddress) return "private-address";
	const address = ipaddr.process(literal);
	const range = address.range();
	if (range === "loopback") return "loopback-address";
	// The table calls ::7f00:1 unicast; only 2000::/3 is given out for the public internet.
	const isGlobal = address.kind() === "ipv4" || ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
	return range === "unicast" && isGlobal ? "public-address" : "private-address";
}
