import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { hostKind } from "../../../src/gates/host-kind";

const resolveMs = 5_000;
/** A host may have addresses that do not answer beside one that does. */
const connectMs = 5_000;
const maxTried = 4;

/** How names become addresses and addresses become connections; a test puts its own in. */
export interface Means {
	resolve(hostname: string): Promise<readonly string[]>;
	connect(address: string, port: number): Socket;
}

export class DialFailed extends Error {
	override readonly name = "DialFailed";
	readonly reason: "private_address" | "unreachable";
	constructor(reason: DialFailed["reason"], message: string) {
		super(message);
		this.reason = reason;
	}
}

/**
 * Connects to the host of a URL that the gate has let through. Its name is resolved here, once, and every address that it has must be
 * what the gate takes the host for: so no name leads to where its address would not have been allowed. Throws `DialFailed`.
 */
export async function dial({ hostname, port, protocol }: URL, means: Means): Promise<Socket> {
	const addresses = await addressesOf(hostname, means);
	const stranger = addresses.find((address) => !isMeant(address, hostname));
	if (stranger !== undefined) {
		const message = `${hostname} leads to a private or special address, which is refused even when it is on the HTTP list.`;
		throw new DialFailed("private_address", message);
	}
	for (const address of addresses.slice(0, maxTried)) {
		const socket = await connected(means.connect(address, Number(port || (protocol === "https:" ? 443 : 80))));
		if (socket) return socket;
	}
	throw new DialFailed("unreachable", `${hostname} does not answer.`);
}

async function addressesOf(hostname: string, { resolve }: Means): Promise<readonly string[]> {
	const literal = hostname.replace(/^\[|\]$/g, "");
	if (isIP(literal)) return [literal];
	const found = await resolve(hostname).catch(() => []);
	if (found.length === 0) throw new DialFailed("unreachable", `${hostname} has no address.`);
	return found;
}

function isMeant(address: string, hostname: string): boolean {
	const kind = hostKind(address.includes(":") ? `[${address}]` : address);
	return hostKind(hostname).startsWith("loopback") ? kind === "loopback-address" : kind === "public-address";
}

/** Undefined where it does not come about. */
async function connected(socket: Socket): Promise<Socket | undefined> {
	socket.on("error", () => {});
	try {
		await once(socket, "connect", { signal: AbortSignal.timeout(connectMs) });
		return socket;
	} catch {
		socket.destroy();
		return undefined;
	}
}

/** The machine's own resolver and network. */
export const realMeans: Means = {
	async resolve(hostname) {
		if (hostKind(hostname) === "loopback-name") return ["127.0.0.1", "::1"];
		// Not by `lookup`, whose few threads are those that files are read with.
		const resolver = new Resolver({ timeout: resolveMs / 2, tries: 2 });
		const timer = setTimeout(() => resolver.cancel(), resolveMs);
		const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
		clearTimeout(timer);
		return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
	},
	connect: (host, port) => connect({ host, port, allowHalfOpen: true }),
};
