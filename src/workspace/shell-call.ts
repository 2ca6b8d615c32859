import type { SandboxBackend } from "../shared/runner";
import type { ReachedHost } from "../shared/runner-network";

/** A command line for the virtual shell. */
export interface ShellCall {
	readonly command: string;
	/** Absolute, or relative to the workspace root; judged like any file. */
	readonly cwd: string | undefined;
	readonly timeoutMs: number;
}

/** What a command line ended in. A refused one is a FileRefusal instead, and has changed nothing. */
export interface ShellOutcome {
	readonly exitCode: number;
	/** At most 1 MB; what was more is only counted. */
	readonly stdout: string;
	readonly stderr: string;
	readonly droppedStdoutBytes: number;
	readonly droppedStderrBytes: number;
	/** Paths that it changed in the workspace, at most 100. */
	readonly changed: readonly string[];
	/** What confined the programs of the line that the runner ran; absent when there was none. */
	readonly backend?: SandboxBackend;
	/** The hosts that they asked for, where they had a network; absent when there was none. */
	readonly reached?: readonly ReachedHost[];
}
