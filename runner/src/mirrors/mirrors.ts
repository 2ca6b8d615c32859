import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { Turns } from "../../../src/lib/turns";
import { Mirror } from "./mirror";
import { removeAll } from "./remove-all";
import type { ScanLimits } from "./scan-tree";

export interface MirrorsOptions {
	/** The runner's own folder for mirrors; what an earlier life left in it is removed. */
	readonly folder: string;
	/** A user of its own for a mirror; undefined where the runner cannot give files away. */
	readonly nextUid: () => number | undefined;
	readonly limits: ScanLimits;
	/** Mirrors kept; the one that was used longest ago makes room. */
	readonly maxMirrors: number;
}

/** A mirror that its holder has to itself until it is disposed of. */
export interface HeldMirror extends Disposable {
	readonly mirror: Mirror;
}

interface Slot {
	readonly mirror: Mirror;
	/** Who has it or waits for it. */
	holders: number;
}

/** The mirrors of this life of the runner, by id. */
export class Mirrors {
	readonly #options: MirrorsOptions;
	/** In the order of their last use. */
	readonly #slots = new Map<string, Slot>();
	readonly #turns = new Turns();
	#made = 0;

	constructor(options: MirrorsOptions) {
		this.#options = options;
		removeAll(options.folder);
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
		slot.holders++;
		try {
			const turn = await this.#turns.take(id, signal);
			let isHeld = true;
			return {
				mirror: slot.mirror,
				[Symbol.dispose]() {
					if (isHeld) slot.holders--;
					isHeld = false;
					turn[Symbol.dispose]();
				},
			};
		} catch (error) {
			slot.holders--;
			throw error;
		}
	}

	#slot(id: string): Slot {
		const known = this.#slots.get(id);
		this.#slots.delete(id);
		const slot = known ?? { mirror: this.#make(), holders: 0 };
		this.#slots.set(id, slot);
		if (!known) this.#makeRoom();
		return slot;
	}

	#make(): Mirror {
		const { folder, nextUid, limits } = this.#options;
		return new Mirror({ folder: path.join(folder, String(this.#made++)), uid: nextUid(), limits });
	}

	#makeRoom(): void {
		for (const [id, { mirror, holders }] of this.#slots) {
			if (this.#slots.size <= this.#options.maxMirrors) return;
			if (holders > 0) continue;
			this.#slots.delete(id);
			mirror.remove();
		}
	}
}
