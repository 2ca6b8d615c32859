import { chmodSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { Mirror } from "./mirror";
import type { ScanLimits } from "./scan-tree";

export interface MirrorsOptions {
	/** The runner's own folder for mirrors; what an earlier life left in it is removed. */
	readonly folder: string;
	/** First of the users that own files, one for each mirror; undefined where the runner is not root. */
	readonly firstUid: number | undefined;
	readonly limits: ScanLimits;
	/** Mirrors kept; the one that was used longest ago makes room. */
	readonly maxMirrors: number;
}

/** A mirror that its holder has to itself until `release`. */
export interface HeldMirror extends Disposable {
	readonly mirror: Mirror;
}

interface Slot {
	readonly mirror: Mirror;
	/** The end of the line of those who wait for it. */
	last: Promise<void>;
	waiting: number;
}

/** The mirrors of this life of the runner, by id. */
export class Mirrors {
	readonly #options: MirrorsOptions;
	/** In the order of their last use. */
	readonly #slots = new Map<string, Slot>();
	#made = 0;

	constructor(options: MirrorsOptions) {
		this.#options = options;
		rmSync(options.folder, { recursive: true, force: true });
		mkdirSync(options.folder, { recursive: true });
		// Each mirror below is closed to others; a program must be able to pass through here to its own.
		chmodSync(options.folder, 0o711);
	}

	/** The mirror as it is, without waiting for a turn; undefined when there is none. */
	find(id: string): Mirror | undefined {
		return this.#slots.get(id)?.mirror;
	}

	/** Waits for its turn on a mirror, which is made when there is none; throws the reason when `signal` aborts first. */
	async take(id: string, signal: AbortSignal): Promise<HeldMirror> {
		const slot = this.#slot(id);
		const { promise, resolve } = Promise.withResolvers<void>();
		const turn = slot.last;
		slot.last = turn.then(() => promise);
		slot.waiting++;
		const release = (): void => {
			slot.waiting--;
			resolve();
		};
		try {
			await unlessAborted(turn, signal);
		} catch (error) {
			release();
			throw error;
		}
		return { mirror: slot.mirror, [Symbol.dispose]: once(release) };
	}

	#slot(id: string): Slot {
		const known = this.#slots.get(id);
		this.#slots.delete(id);
		const slot = known ?? { mirror: this.#make(), last: Promise.resolve(), waiting: 0 };
		this.#slots.set(id, slot);
		if (!known) this.#makeRoom();
		return slot;
	}

	#make(): Mirror {
		const { folder, firstUid, limits } = this.#options;
		const number = this.#made++;
		const uid = firstUid === undefined ? undefined : firstUid + number;
		return new Mirror({ folder: path.join(folder, String(number)), uid, limits });
	}

	#makeRoom(): void {
		for (const [id, { mirror, waiting }] of this.#slots) {
			if (this.#slots.size <= this.#options.maxMirrors) return;
			if (waiting > 0) continue;
			this.#slots.delete(id);
			mirror.remove();
		}
	}
}

async function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	const { promise, reject } = Promise.withResolvers<never>();
	const abort = () => reject(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	try {
		await Promise.race([turn, promise]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

function once(run: () => void): () => void {
	let isDone = false;
	return () => {
		if (!isDone) run();
		isDone = true;
	};
}
