import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import type { NetworkOutcome, NetworkRules } from "../../../src/shared/runner-network";
import { type Means, realMeans } from "./dial";
import { createProxy } from "./proxy";
import { Tally } from "./tally";

interface EgressLimits {
	/** Of one program, both ways. */
	readonly maxBytes: number;
	/** For the head of a request. */
	readonly headMs: number;
}
const usualLimits: EgressLimits = { maxBytes: 2 ** 30, headMs: 10_000 };

/** The way out of one program: gone when it is disposed of. */
export interface Egress extends AsyncDisposable {
	/** Where its proxy listens. */
	readonly socket: string;
	/** What the program has asked for so far. */
	outcome(): Extract<NetworkOutcome, { hosts: unknown }>;
}

export type OpenEgress = (rules: NetworkRules) => Promise<Egress>;

export interface EgressOptions {
	/** The runner's own folder for the sockets; what an earlier life left in it is removed. */
	readonly folder: string;
	readonly means?: Means;
	/** For tests. */
	readonly limits?: Partial<EgressLimits>;
}

/** Makes the folder for the sockets, which is closed to everybody else; answers what opens one for a run. */
export function createEgress({ folder, means = realMeans, limits = {} }: EgressOptions): OpenEgress {
	const { maxBytes, headMs } = { ...usualLimits, ...limits };
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	chmodSync(folder, 0o700);
	return async ({ entries, allowLoopback }) => {
		const tally = new Tally();
		const connections = new Set<Socket>();
		let left = maxBytes;
		const spend = (bytes: number): boolean => {
			const hadRoom = left > 0;
			left -= bytes;
			if (left <= 0 && hadRoom)
				tally.refuse("*", "over_limit", `The program moved more than ${maxBytes} bytes, and was cut off.`);
			return left > 0;
		};
		const proxy = createProxy({ rules: { mode: "listed", entries, allowLoopback }, headMs, means, tally, spend });
		proxy.on("connection", (connection) => {
			if (left <= 0) return connection.destroy();
			connections.add(connection);
			connection.once("close", () => connections.delete(connection));
		});
		const socket = path.join(folder, randomBytes(6).toString("hex"));
		proxy.listen(socket);
		await once(proxy, "listening");
		return {
			socket,
			outcome: () => tally.outcome(),
			async [Symbol.asyncDispose]() {
				const closed = once(proxy, "close");
				proxy.close();
				for (const connection of connections) connection.destroy();
				await closed;
			},
		};
	};
}
