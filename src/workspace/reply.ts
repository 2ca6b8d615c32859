import type { ToolErrorCode } from "../shared/tool-result";

/** Why an operation on files was not done; nothing has changed then. `reason` is the gate's exact word (`outside_root`) or POSIX's (`ENOENT`). */
export interface FileRefusal {
	readonly code: ToolErrorCode;
	readonly reason: string;
	readonly message: string;
	readonly retryable: boolean;
	/** True when a list or a rule said no, false when the files themselves did. */
	readonly gate: boolean;
	/** The paths that stand in the way, where there are several. */
	readonly paths?: readonly string[];
}

/** An outcome as it crosses to another object: a refusal is returned, never thrown. */
export type FileReply<Value> =
	| { readonly ok: true; readonly value: Value /** The job that holds the change. */; readonly jobId?: string }
	| ({ readonly ok: false } & FileRefusal);
