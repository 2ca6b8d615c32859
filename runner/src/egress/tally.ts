import type { Socket } from "node:net";
import { type NetworkOutcome, type ReachedHost, sumHosts } from "../../../src/shared/runner-network";

/** Refused hosts that are remembered; a program may invent any number. */
const maxRefused = 500;
const maxSentences = 10;

/** What one program asked of the network, and what came of it. */
export class Tally {
	readonly #ended: ReachedHost[] = [];
	readonly #open = new Map<Socket, string>();
	readonly #refusals = new Set<string>();
	#refused = 0;

	refuse(host: string, verdict: string, message: string): void {
		if (this.#refused++ < maxRefused) this.#ended.push({ host: printable(host), verdict, bytes: 0 });
		if (this.#refusals.size < maxSentences) this.#refusals.add(printable(message, 1_000));
	}

	/** Counts what a connection to an allowed host carries. */
	carry(host: string, socket: Socket): void {
		this.#open.set(socket, host);
		socket.once("close", () => {
			this.#open.delete(socket);
			this.#add(carried(host, socket));
		});
	}

	outcome(): Extract<NetworkOutcome, { hosts: unknown }> {
		const open = [...this.#open].map(([socket, host]) => carried(host, socket));
		return { hosts: sumHosts([...this.#ended, ...open]), refusals: [...this.#refusals] };
	}

	#add(reached: ReachedHost): void {
		const known = this.#ended.findIndex(({ host, verdict }) => host === reached.host && verdict === reached.verdict);
		const before = this.#ended[known]?.bytes ?? 0;
		this.#ended.splice(known < 0 ? this.#ended.length : known, 1, { ...reached, bytes: before + reached.bytes });
	}
}

const carried = (host: string, { bytesRead, bytesWritten }: Socket): ReachedHost => ({
	host: printable(host),
	verdict: "allowed",
	bytes: bytesRead + bytesWritten,
});

const printable = (text: string, most = 300): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, most);
