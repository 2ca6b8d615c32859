import { sendChunks } from "./chunks";
import { KnownChunks } from "./known-chunks";
import type { RunnerPort } from "./port";

/** Chunks on their way into one mirror. */
export interface Transfer {
	readonly totalBytes: number;
	readonly sentBytes: () => number;
	/** Resolves when all are there. */
	readonly done: Promise<void>;
}

/**
 * What is being copied to the runner, by mirror. A transfer goes on when the call that began it has ended, so that a later call
 * finds its files there.
 */
export class Transfers {
	/** What has arrived before. */
	readonly known = new KnownChunks();
	readonly #going = new Map<string, Transfer>();

	/** The one that goes on into a mirror. */
	find(mirror: string): Transfer | undefined {
		return this.#going.get(mirror);
	}

	/** Chunks for a mirror by hash and size; one that is going on already is answered instead. */
	begin(
		port: RunnerPort,
		{ mirror, sizes, chunk }: { mirror: string; sizes: ReadonlyMap<string, number>; chunk(hash: string): Uint8Array },
	): Transfer {
		const going = this.#going.get(mirror);
		if (going) return going;
		let sentBytes = 0;
		const counted = (hash: string): Uint8Array => {
			sentBytes += sizes.get(hash) ?? 0;
			return chunk(hash);
		};
		const totalBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
		const sending = sendChunks(port, { mirror, hashes: [...sizes.keys()], chunk: counted });
		const done = sending.finally(() => this.#going.delete(mirror));
		// Whoever waits for it hears of its failure, and nobody may be left to.
		done.catch(() => {});
		const transfer = { totalBytes, sentBytes: () => sentBytes, done };
		this.#going.set(mirror, transfer);
		return transfer;
	}
}
