import type { ProgramLimits, SandboxBackend, SandboxReport } from "../../../src/shared/runner";

/** What a program sees and may write. */
export interface Place {
	/** Real path on the runner, shown as /workspace where the backend has mounts; besides `temporary` the only place to write to. */
	readonly folder: string;
	/** Real path of its own empty TMPDIR, shown as /tmp where the backend has mounts. */
	readonly temporary: string;
	/** Relative to `folder`; empty for `folder` itself. */
	readonly cwd: string;
	/** Relative to `folder`; read-only where the backend has mounts, whether they are there or not. */
	readonly protectedPaths: readonly string[];
	/** Owner of `folder` when the runner is root. */
	readonly uid: number | undefined;
	readonly network: boolean;
	/** Socket of a proxy that is the only way out, for a backend whose `egressProblem` is undefined. */
	readonly egress?: string | undefined;
}

export interface Command {
	readonly program: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** A command that confines another. */
export interface Wrapped extends Command {
	/** True when the launcher tells on descriptor 3 how the program fares. */
	readonly isReported: boolean;
	/** Takes away what was made for this one run; called when all its processes are gone. */
	release(): void;
}

type UnsupportedLimit = SandboxReport["unsupportedLimits"][number];

/** One way to confine a program on this machine. */
export interface Backend {
	readonly name: SandboxBackend;
	/** All that confines a program. */
	readonly layers: readonly string[];
	/** Whether programs see /workspace and /tmp in place of the real folders. */
	readonly hasMounts: boolean;
	readonly unsupportedLimits: readonly UnsupportedLimit[];
	/** Why a program in it cannot be held to a proxy; undefined where it can. */
	readonly egressProblem: string | undefined;
	wrap(command: Command, place: Place, limits: ProgramLimits): Wrapped;
}
