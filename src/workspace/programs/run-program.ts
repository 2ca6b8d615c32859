/** A program that a command line asks for and the virtual shell does not have. */
export interface ProgramCall {
	readonly name: string;
	readonly args: readonly string[];
	readonly stdin: Uint8Array<ArrayBuffer>;
	/** Absolute. */
	readonly cwd: string;
	/** The variables that the command line exports. */
	readonly environment: Readonly<Record<string, string>>;
}

export interface ProgramResult {
	/** At most 1 MB of each; `stderr` ends with what was left out. */
	readonly stdout: Uint8Array;
	readonly stderr: Uint8Array;
	readonly exitCode: number;
}

/**
 * Runs a program over the files of a command line and brings what it changed back into them. Throws what `refusalOf` knows when
 * it cannot; the whole command line is then given up, so that nothing is changed.
 */
export type RunProgram = (call: ProgramCall, signal: AbortSignal) => Promise<ProgramResult>;
