import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";
import { inOneBuffer } from "../lib/in-one-buffer";
import { sentPieces } from "../lib/sent-pieces";
import { uuid7 } from "../lib/uuid7";
import { exportArchive } from "../workspace/archive/export-archive";
import { importArchive } from "../workspace/archive/import-archive";
import type { Unpacked } from "../workspace/archive/unpack";
import type { Conditions } from "../workspace/conditions";
import type { WorkspaceContext } from "../workspace/context";
import { judgeChanges, resolveAsked, rulesOf } from "../workspace/guarded";
import { diffOfJob } from "../workspace/job-diff";
import { expiryOf, type Job } from "../workspace/jobs";
import type { LayerChange } from "../workspace/layers";
import { type OperationInput, type OperationName, type OperationOutput, runOperation } from "../workspace/operations";
import { type PutOutcome, putFile } from "../workspace/put-file";
import type { FileReply } from "../workspace/reply";
import type { ShellCall, ShellOutcome } from "../workspace/shell-call";
import { Workspace } from "../workspace/workspace";
import { deploymentOf } from "./deployment";
import { runnerName } from "./runner";
import type { ByteRange, EntryFacts, FileFacts, JobFacts, WorkspaceCalls } from "./workspace-calls";
import { documentsOf } from "./workspace-documents";
import { changedMeanwhile, entriesOf, factsOf, replied } from "./workspace-facts";
import { Shells } from "./workspace-shells";

/** One workspace: its files, its jobs and the virtual shell. An alarm is armed only while a job or a turn's `/tmp` waits for its end. */
export class WorkspaceObject extends DurableObject<Env> implements WorkspaceCalls {
	readonly #workspace: Workspace;
	readonly #shells = new Shells();
	/** What ends the operations that run now, by call id. */
	readonly #looking = new Map<string, AbortController>();
	#alarmAt = Number.POSITIVE_INFINITY;
	/** How the object reaches the world; a test puts its own in. */
	fetcher: typeof fetch = (input, init) => fetch(input, init);

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		const { storage } = ctx;
		this.#workspace = new Workspace({
			db: {
				exec: (query, ...bindings) => storage.sql.exec(query, ...bindings),
				transaction: (run) => storage.transactionSync(run),
			},
			now: () => Date.now(),
			newId: () => uuid7(),
			documents: (context) => documentsOf(deploymentOf(env), context),
			due: (at) => this.#arm(at),
		});
		ctx.blockConcurrencyWhile(async () => {
			this.#alarmAt = (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
		});
	}

	/** Runs a named operation on the files, once per call id when it changes something. */
	async perform<Name extends OperationName>(
		context: WorkspaceContext,
		name: Name,
		input: OperationInput<Name>,
	): Promise<FileReply<OperationOutput<Name>>> {
		const stop = new AbortController();
		this.#looking.set(context.callId, stop);
		try {
			return await runOperation(this.#workspace, context, { name, input, signal: stop.signal });
		} finally {
			this.#looking.delete(context.callId);
		}
	}

	/** Runs a command line in the virtual shell, once per call id; what it changes is changed whole or not at all. */
	async shell(context: WorkspaceContext, call: ShellCall): Promise<FileReply<ShellOutcome>> {
		const settled = () => this.ctx.storage.sync();
		const runner = this.env.RUNNER.getByName(runnerName);
		return await this.#shells.run(this.#workspace, context, { call, fetcher: this.fetcher, runner, settled });
	}

	/** Ends a search, or a command line, whose changes are dropped. */
	async stopCall(callId: string): Promise<void> {
		this.#looking.get(callId)?.abort();
		this.#shells.stop(callId);
	}

	/** Drops the `/tmp` of a turn. */
	async endScope(scope: string): Promise<void> {
		this.#workspace.endScope(scope);
	}

	async facts(context: WorkspaceContext, path: string): Promise<FileReply<FileFacts>> {
		return await this.#workspace.read(context, (files) => factsOf(files, resolveAsked(path, rulesOf(context))));
	}

	async entries(
		context: WorkspaceContext,
		{ path, ...page }: { path: string; after: string | undefined; limit: number },
	): Promise<FileReply<readonly EntryFacts[]>> {
		return await this.#workspace.read(context, (files) => entriesOf(files, resolveAsked(path, rulesOf(context)), page));
	}

	/** The bytes as they are now, whatever is written meanwhile. */
	async readFile(
		context: WorkspaceContext,
		{ path: asked, etag, range }: { path: string; etag: string; range?: ByteRange | undefined },
	): Promise<FileReply<ReadableStream<Uint8Array>>> {
		return await this.#workspace.read(context, (files) => {
			const path = resolveAsked(asked, rulesOf(context));
			if (files.digest(path) !== etag) throw changedMeanwhile(path);
			return sentPieces(files.readPieces(path, range));
		});
	}

	async putFile(
		context: WorkspaceContext,
		put: { path: string; body: ReadableStream<Uint8Array>; conditions?: Conditions },
	): Promise<FileReply<PutOutcome>> {
		return await putFile(this.#workspace, context, { ...put, body: inOneBuffer(put.body) });
	}

	async importArchive(
		context: WorkspaceContext,
		archive: { path: string; body: ReadableStream<Uint8Array> },
	): Promise<FileReply<Unpacked>> {
		return await importArchive(this.#workspace, context, archive);
	}

	async exportArchive(context: WorkspaceContext, path: string): Promise<FileReply<ReadableStream<Uint8Array>>> {
		return await exportArchive(this.#workspace, context, path);
	}

	async createJob({ settings }: WorkspaceContext): Promise<JobFacts> {
		const { maxBytesPerJob, ttlSeconds } = settings.writeSandbox;
		const asked = { id: uuid7(), sessionId: null, ttlMs: ttlSeconds * 1000, maxBytes: maxBytesPerJob };
		return this.#factsOfJob(this.#workspace.jobs.create(asked));
	}

	async listJobs({ after, limit }: { after: string | undefined; limit: number }): Promise<readonly JobFacts[]> {
		const jobs = this.#workspace.jobs.list();
		// An id begins with the time, and the job of that id may be forgotten by now.
		const rest = after === undefined ? jobs : jobs.filter(({ id }) => id < after);
		return rest.slice(0, limit).map((job) => this.#factsOfJob(job));
	}

	async job(id: string): Promise<FileReply<JobFacts & { readonly changes: readonly LayerChange[] }>> {
		return replied(() => {
			const job = this.#workspace.jobs.get(id);
			return { ...this.#factsOfJob(job), changes: this.#workspace.changesOfJob(job) };
		});
	}

	async diffOfJob(
		context: WorkspaceContext,
		job: { id: string; path: string | undefined },
	): Promise<FileReply<string>> {
		return await diffOfJob(this.#workspace, context, job);
	}

	/** By the lists as they are now, which may have changed since the job was written. */
	async commitJob(context: WorkspaceContext, id: string): Promise<FileReply<JobFacts>> {
		const { maxWorkspaceBytes } = context.settings.files;
		const { jobs } = this.#workspace;
		return replied(() => {
			judgeChanges(this.#workspace.changesOfJob(jobs.get(id)), rulesOf(context));
			return this.#factsOfJob(jobs.commit(id, maxWorkspaceBytes));
		});
	}

	async rollBackJob(id: string): Promise<FileReply<JobFacts>> {
		return replied(() => this.#factsOfJob(this.#workspace.jobs.rollBack(id)));
	}

	override async alarm(): Promise<void> {
		this.#alarmAt = Number.POSITIVE_INFINITY;
		const due = this.#workspace.expire();
		if (due !== undefined) this.#arm(due);
	}

	#factsOfJob({ layer: _, ...job }: Job): JobFacts {
		return { ...job, bytes: this.#workspace.jobs.bytes(job.id), expiresAt: expiryOf(job) };
	}

	#arm(at: number): void {
		if (at >= this.#alarmAt) return;
		this.#alarmAt = at;
		this.ctx.waitUntil(this.ctx.storage.setAlarm(at));
	}
}
