import type { Unpacked } from "../workspace/archive/unpack";
import type { Conditions } from "../workspace/conditions";
import type { WorkspaceContext } from "../workspace/context";
import type { FileStat } from "../workspace/file-system";
import type { Job } from "../workspace/jobs";
import type { LayerChange } from "../workspace/layers";
import type { OperationInput, OperationName, OperationOutput } from "../workspace/operations";
import type { PutOutcome } from "../workspace/put-file";
import type { FileReply } from "../workspace/reply";
import type { ShellCall, ShellOutcome } from "../workspace/shell-call";

/** Bytes of a file: at most `length` from `offset`. */
export interface ByteRange {
	readonly offset: number;
	readonly length: number;
}

export interface FileFacts extends FileStat {
	/** With its links resolved. */
	readonly path: string;
	/** Of a file; equal for equal bytes. */
	readonly etag?: string;
}

/** What stands in a directory. */
export interface EntryFacts extends FileStat {
	readonly name: string;
	readonly path: string;
	/** Of a symlink: the text of it, wherever that leads. */
	readonly target?: string;
}

/** A job as it stands. */
export interface JobFacts extends Omit<Job, "layer"> {
	readonly bytes: number;
	readonly expiresAt: number;
}

/**
 * What a workspace's object answers. Expected failures are returned. The stub's own type is not used,
 * because it takes replies that are unions apart.
 */
export interface WorkspaceCalls {
	perform<Name extends OperationName>(
		context: WorkspaceContext,
		name: Name,
		input: OperationInput<Name>,
	): Promise<FileReply<OperationOutput<Name>>>;
	shell(context: WorkspaceContext, call: ShellCall): Promise<FileReply<ShellOutcome>>;
	stopCall(callId: string): Promise<void>;
	endScope(scope: string): Promise<void>;
	facts(context: WorkspaceContext, path: string): Promise<FileReply<FileFacts>>;
	/** In byte order of the names, after `after`. */
	entries(
		context: WorkspaceContext,
		page: { path: string; after: string | undefined; limit: number },
	): Promise<FileReply<readonly EntryFacts[]>>;
	/** Refused with `changed_meanwhile` when the file is no longer the one of that `etag`. */
	readFile(
		context: WorkspaceContext,
		file: { path: string; etag: string; range?: ByteRange | undefined },
	): Promise<FileReply<ReadableStream<Uint8Array>>>;
	putFile(
		context: WorkspaceContext,
		put: { path: string; body: ReadableStream<Uint8Array>; conditions?: Conditions },
	): Promise<FileReply<PutOutcome>>;
	/** A tar, tar.gz or zip is unpacked below a directory: all of it or nothing. */
	importArchive(
		context: WorkspaceContext,
		archive: { path: string; body: ReadableStream<Uint8Array> },
	): Promise<FileReply<Unpacked>>;
	/** As a tar. */
	exportArchive(context: WorkspaceContext, path: string): Promise<FileReply<ReadableStream<Uint8Array>>>;
	createJob(context: WorkspaceContext): Promise<JobFacts>;
	/** Newest first. */
	listJobs(page: { after: string | undefined; limit: number }): Promise<readonly JobFacts[]>;
	job(id: string): Promise<FileReply<JobFacts & { readonly changes: readonly LayerChange[] }>>;
	/** A unified diff against the workspace as it is now. */
	diffOfJob(context: WorkspaceContext, job: { id: string; path: string | undefined }): Promise<FileReply<string>>;
	commitJob(context: WorkspaceContext, id: string): Promise<FileReply<JobFacts>>;
	rollBackJob(id: string): Promise<FileReply<JobFacts>>;
}
