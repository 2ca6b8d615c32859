import type { WriteTarget } from "./context";
import type { Database } from "./database";
import { JobRefused, type Jobs } from "./jobs";
import { bytesOf, changesOf, commitLayer, createLayer, dropLayer, hasLayer, type LayerChange } from "./layers";
import type { Root } from "./open-file-system";

/** Where changes go and how much may stand there in all. */
export interface Place extends Root {
	readonly maxBytes: number;
	/** The job written to, once there is one. */
	jobId(): string | undefined;
}

export interface Caps {
	readonly maxWorkspaceBytes: number;
	readonly maxBytesPerJob: number;
	readonly jobTtlMs: number;
}

/** The place that a call's target names. A session's own job is made by its first write. Throws JobRefused. */
export function placeOf(
	{ inode, jobs, caps, newId }: { inode: number; jobs: Jobs; caps: Caps; newId: () => string },
	target: WriteTarget,
): Place {
	if (target.mode === "direct") {
		return { inode, layer: () => 0, writable: () => 0, maxBytes: caps.maxWorkspaceBytes, jobId: () => undefined };
	}
	if (target.mode === "job") {
		const job = jobs.use(target.jobId);
		return { inode, layer: () => job.layer, writable: () => job.layer, maxBytes: job.maxBytes, jobId: () => job.id };
	}
	if (target.mode === "unsaid") {
		return { inode, layer: () => 0, writable: refuseUnsaid, maxBytes: caps.maxBytesPerJob, jobId: () => undefined };
	}
	const { sessionId } = target;
	let job = jobs.openOfSession(sessionId);
	return {
		inode,
		layer: () => job?.layer ?? 0,
		writable: () => {
			job ??= jobs.create({ id: newId(), sessionId, ttlMs: caps.jobTtlMs, maxBytes: caps.maxBytesPerJob });
			return job.layer;
		},
		maxBytes: job?.maxBytes ?? caps.maxBytesPerJob,
		undone: () => {
			if (job && !jobs.find(job.id)) job = jobs.openOfSession(sessionId);
		},
		jobId: () => job?.id,
	};
}

function refuseUnsaid(): never {
	const message =
		"This agent's changes are staged (write_mode), and the call names neither a job nor a session to stage them in. Name one as jobId or sessionId.";
	throw new JobRefused({ code: "conflict", reason: "job_unsaid", message });
}

/** A layer over a place for one piece of work that must happen whole or not at all; made by its first write. */
export class TemporaryLayer implements Root {
	readonly #db: Database;
	readonly #under: Root;
	#layer: number | undefined;

	constructor(db: Database, under: Root) {
		this.#db = db;
		this.#under = under;
	}

	/** Asked for when it is needed: the root of a `/tmp` is made by the first look at it. */
	get inode(): number {
		return this.#under.inode;
	}

	/** False while nothing was changed in it. */
	get isMade(): boolean {
		return this.#layer !== undefined;
	}

	layer(): number {
		return this.#layer ?? this.#under.layer();
	}

	writable(): number {
		this.#layer ??= createLayer(this.#db, { parent: this.#under.writable(), temporary: true });
		return this.#layer;
	}

	undone(): void {
		if (this.#layer !== undefined && !hasLayer(this.#db, this.#layer)) this.#layer = undefined;
		this.#under.undone?.();
	}

	changes(): LayerChange[] {
		return this.#layer === undefined ? [] : changesOf(this.#db, this.#layer, this.inode);
	}

	/** Part of the caller's transaction, which must be given up when this answers paths that changed underneath. */
	commit(): readonly string[] {
		if (this.#layer === undefined) return [];
		const committed = commitLayer(this.#db, this.#layer);
		return committed.ok ? [] : committed.conflicts;
	}

	/** Bytes that stand in the place underneath now. */
	bytesUnderneath(): number {
		return bytesOf(this.#db, this.#under.layer());
	}

	/** Harmless after a commit; drops it where the transaction of the commit was given up. */
	drop(): void {
		if (this.#layer !== undefined) dropLayer(this.#db, this.#layer);
		this.#layer = undefined;
	}
}
