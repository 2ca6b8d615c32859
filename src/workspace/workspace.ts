import { checkRoom } from "./check-room";
import { findChunk } from "./chunks";
import type { WorkspaceContext } from "./context";
import type { Database } from "./database";
import type { ContentWriter, FileSystem } from "./file-system";
import { guarded, rulesOf } from "./guarded";
import { inSteps } from "./in-steps";
import { type Job, Jobs } from "./jobs";
import { changesOf, type LayerChange } from "./layers";
import { Ledger } from "./ledger";
import { type DocumentSource, LoadedDocuments } from "./loaded-documents";
import { openFileSystem, openRoot, type Root, setUp } from "./open-file-system";
import { refusalOf } from "./refusal";
import { Refused } from "./refused";
import type { FileRefusal, FileReply } from "./reply";
import { Scratch } from "./scratch";
import { type Place, placeOf, TemporaryLayer } from "./target";

export interface WorkspaceParts {
	readonly db: Database;
	readonly now: () => number;
	readonly newId: () => string;
	documents(context: WorkspaceContext): DocumentSource;
	/** Hears when `expire` is to be called. */
	due(at: number): void;
}

/** The files as one call may use them. */
export interface Use {
	/** Judged by the rules of the call. */
	readonly files: FileSystem;
	/** The same, control files included; for a program of ours whose changes are judged in another way. */
	readonly trusted: FileSystem;
	/** A chunk that some file of the workspace has. */
	findChunk(hash: Uint8Array): Uint8Array | undefined;
	/** Runs a synchronous piece of the use and loads the documents that it looks at. */
	read<Result>(run: () => Result): Promise<Result>;
}

/** The files of one workspace, its jobs and its ledger of calls: all that the Durable Object holds, without the object. */
export class Workspace {
	readonly jobs: Jobs;
	readonly #parts: WorkspaceParts;
	readonly #ledger: Ledger;
	readonly #scratch: Scratch;
	readonly #inode: number;

	constructor(parts: WorkspaceParts) {
		this.#parts = parts;
		setUp(parts.db);
		this.#inode = openRoot(parts.db, "workspace");
		this.#ledger = new Ledger(parts.db, parts.now());
		this.#scratch = new Scratch(parts.db, parts.now, parts.due);
		this.jobs = new Jobs(parts.db, parts.now, parts.due);
	}

	/** Looks at the files. */
	async read<Value>(context: WorkspaceContext, look: (files: FileSystem) => Value): Promise<FileReply<Value>> {
		return await this.#replying(context, async () => {
			const { files, read, place } = this.#open(context, (root) => root);
			return done(await read(() => look(files)), place);
		});
	}

	/** Looks at the files for as long as it takes, in steps between which others have their turn; `signal` ends it. */
	async readInSteps<Value>(
		context: WorkspaceContext,
		look: (files: FileSystem) => Generator<void, Value, void>,
		signal: AbortSignal,
	): Promise<FileReply<Value>> {
		return await this.#replying(context, async () => {
			const { files, read, place } = this.#open(context, (root) => root);
			return done(await inSteps(() => look(files), read, signal), place);
		});
	}

	/** Changes the files in one transaction, once per call id. */
	async change<Value>(context: WorkspaceContext, change: (files: FileSystem) => Value): Promise<FileReply<Value>> {
		const known = this.#outcome<Value>(context.callId);
		if (known) return known;
		return await this.#replying(context, async () => {
			const { files, read, place } = this.#open(context, (root) => root);
			return await read(() => this.#finish(context, place, () => change(files)));
		});
	}

	/**
	 * Work that takes its time and changes the files whole or not at all, once per call id where it changes something or has
	 * begun to reach out: it goes on in a layer of its own, which is put into place at the end unless something it touched has
	 * changed meanwhile.
	 */
	async changeWhole<Value>(
		context: WorkspaceContext,
		work: (use: Use & { changes(): string[] }) => Promise<Value>,
	): Promise<FileReply<Value>> {
		const known = this.#outcome<Value>(context.callId);
		if (known) return known;
		const { db } = this.#parts;
		const layers: TemporaryLayer[] = [];
		const inLayer = (root: Root) => {
			const layer = new TemporaryLayer(db, root);
			layers.push(layer);
			return layer;
		};
		return await this.#replying(context, async () => {
			try {
				const { place, ...use } = this.#open(context, inLayer);
				const changes = () => layers.flatMap((layer) => layer.changes().map(({ path }) => path));
				const value = await work({ ...use, changes });
				// What has only looked may be run again, and a row for each look would cost more than it is worth.
				const hasOnlyLooked = !layers.some(({ isMade }) => isMade) && !this.#ledger.find(context.callId);
				if (hasOnlyLooked) return done(value, place);
				return this.#finish(context, place, () => {
					commitAll(layers, place);
					return value;
				});
			} finally {
				for (const layer of layers) layer.drop();
			}
		});
	}

	/**
	 * Takes content as it comes and puts it into place at the end, in one transaction and once per call id.
	 * `look` refuses what cannot be put there before anything is read.
	 */
	async receive<Value>(
		context: WorkspaceContext,
		body: AsyncIterable<Uint8Array>,
		{ look, place }: { look(files: FileSystem): void; place(files: FileSystem, content: ContentWriter): Value },
	): Promise<FileReply<Value>> {
		const known = this.#outcome<Value>(context.callId);
		if (known) return known;
		return await this.#replying(context, async () => {
			const use = this.#open(context, (root) => root);
			await use.read(() => look(use.files));
			const content = use.files.beginContent();
			try {
				for await (const bytes of body) content.write(bytes);
				return await use.read(() => this.#finish(context, use.place, () => place(use.files, content)));
			} finally {
				content.discard();
			}
		});
	}

	/** Notes that a call is about to reach out: if its end is never written, it is not run again. */
	begin(callId: string): void {
		this.#ledger.begin(callId, this.#parts.now());
	}

	/** By path; none once the job is over. */
	changesOfJob({ state, layer }: Job): LayerChange[] {
		return state === "open" ? changesOf(this.#parts.db, layer, this.#inode) : [];
	}

	/** Drops the `/tmp` of a turn that has ended. */
	endScope(scope: string): void {
		this.#scratch.drop(scope);
	}

	/** Rolls back and drops what has had its time; answers when there is something to do again. */
	expire(): number | undefined {
		const due = [this.jobs.expire(), this.#scratch.expire()].filter((at) => at !== undefined);
		return due.length > 0 ? Math.min(...due) : undefined;
	}

	#open(context: WorkspaceContext, over: (root: Root) => Root): Use & { place: Place } {
		const { db, now, newId } = this.#parts;
		const { files: limits, writeSandbox } = context.settings;
		const caps = {
			maxWorkspaceBytes: limits.maxWorkspaceBytes,
			maxBytesPerJob: writeSandbox.maxBytesPerJob,
			jobTtlMs: writeSandbox.ttlSeconds * 1000,
		};
		const place = placeOf({ inode: this.#inode, jobs: this.jobs, caps, newId }, context.target);
		const documents = new LoadedDocuments(this.#parts.documents(context), now);
		const raw = openFileSystem(db, {
			roots: { workspace: over(place), tmp: over(this.#scratch.root(context.scope)) },
			documents,
			maxFileBytes: limits.maxFileBytes,
			maxBytes: place.maxBytes,
			now,
		});
		const rules = rulesOf(context);
		return {
			files: guarded(raw, rules),
			trusted: guarded(raw, { ...rules, mayWriteProtected: true }),
			findChunk: (hash) => findChunk(db, hash),
			read: (run) => documents.use(run),
			place,
		};
	}

	#outcome<Value>(callId: string): FileReply<Value> | undefined {
		const known = this.#ledger.find(callId);
		if (known?.state === "ended") return known.outcome as FileReply<Value>;
		if (known?.state !== "begun") return undefined;
		const message =
			"interrupted: the outcome is unknown. It had reached out when the process ended, and is not run again.";
		return { ok: false, code: "interrupted", reason: "interrupted", message, retryable: false, gate: false };
	}

	/** A change and the note of it in one transaction. A place that was made in one that is given up is forgotten. */
	#finish<Value>({ callId }: WorkspaceContext, place: Place, change: () => Value): FileReply<Value> {
		try {
			return this.#parts.db.transaction(() => {
				const reply = done(change(), place);
				this.#ledger.end(callId, this.#parts.now(), reply);
				return reply;
			});
		} catch (error) {
			place.undone?.();
			throw error;
		}
	}

	/** An expected failure becomes a reply; a direct call's `/tmp` ends with it. */
	async #replying<Value>(
		{ scope, callId }: WorkspaceContext,
		run: () => Promise<FileReply<Value>>,
	): Promise<FileReply<Value>> {
		try {
			return await run();
		} catch (error) {
			const refusal = refusalOf(error);
			if (!refusal) throw error;
			return { ok: false, ...refusal };
		} finally {
			if (scope === callId) this.#scratch.drop(scope);
		}
	}
}

function done<Value>(value: Value, place: Place): FileReply<Value> {
	const jobId = place.jobId();
	return { ok: true, value, ...(jobId !== undefined && { jobId }) };
}

/** Throws when something changed underneath or too much would stand there; the caller's transaction then changes nothing. */
function commitAll(layers: readonly TemporaryLayer[], { maxBytes }: Place): void {
	for (const layer of layers) {
		const before = layer.bytesUnderneath();
		const conflicts = layer.commit();
		if (conflicts.length > 0) throw new Refused(overtaken(conflicts));
		checkRoom({ before, after: layer.bytesUnderneath(), maxBytes });
	}
}

const overtaken = (paths: readonly string[]): FileRefusal => ({
	code: "conflict",
	reason: "changed_meanwhile",
	message: `Nothing was changed: ${paths.slice(0, 5).join(", ")} changed while this ran. Try again.`,
	retryable: true,
	gate: false,
	paths,
});
