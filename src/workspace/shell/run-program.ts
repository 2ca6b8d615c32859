import type { FileRefusal } from "../reply";

/** A program that a command line asks for and the shell does not have. */
export interface ProgramCall {
	readonly name: string;
	readonly args: readonly string[];
	readonly stdin: Uint8Array;
	/** Absolute. */
	readonly cwd: string;
	/** The variables that the command line exports. */
	readonly environment: Readonly<Record<string, string>>;
}

export interface ProgramResult {
	readonly stdout: Uint8Array;
	readonly stderr: Uint8Array;
	readonly exitCode: number;
}

/**
 * Runs a program over the files of the run, and brings what it changed back into them. A refusal ends the whole command line,
 * so that nothing is changed.
 */
export type RunProgram = (
	call: ProgramCall,
	signal: AbortSignal,
) => Promise<({ readonly ok: true } & ProgramResult) | ({ readonly ok: false } & FileRefusal)>;
