import type { BashOptions } from "just-bash/browser";
import type { FileRefusal } from "../reply";

/** Bytes of a command line. */
export const maxCommandBytes = 32_768;
/** Bytes of one file that a command may take in whole; its text takes twice as much memory. */
export const maxReadBytes = 16 * 1_024 * 1_024;
/** Bytes kept of each stream, its end. */
export const maxKeptBytes = 1_000_000;
/** Evaluated expressions and statements of awk, sed, jq and the shell itself: they end what never waits, and so has no clock. */
export const maxSteps = 10_000_000;

/** Lines and values that a command may hold; the shell's own arrays are smaller. */
export const maxCommandElements = 1_000_000;

const maxRunningBytes = 16 * 1_024 * 1_024;

/** What one command line may use. The time is `Run`'s; here it is only what no line can reach. */
export const executionLimits: NonNullable<BashOptions["executionLimits"]> = {
	maxSourceBytes: 1_048_576,
	maxExecDepth: 32,
	maxCallDepth: 100,
	maxSourceDepth: 32,
	maxSubstitutionDepth: 32,
	maxCommandCount: 100_000,
	maxLoopIterations: 1_000_000,
	maxAwkIterations: 1_000_000,
	maxSedIterations: 100_000,
	maxJqIterations: 1_000_000,
	maxGlobOperations: 100_000,
	// A loop that lets one grow copies it each time, and nothing else bounds that.
	maxArrayElements: 20_000,
	maxBraceExpansionResults: 100_000,
	maxStringLength: maxRunningBytes,
	maxHeredocSize: 1_048_576,
	maxOutputSize: maxRunningBytes,
	maxInputBytes: 4 * maxRunningBytes,
	maxLiveBytes: 4 * maxRunningBytes,
	maxArchiveBytes: maxRunningBytes,
	maxFileDescriptors: 256,
	maxTraversalDepth: 256,
	maxExecutionTimeMs: 600_000,
	maxExtensionCleanupTimeMs: 50,
};

/** The status of a command that just-bash ended at a limit. */
const limitStatus = 126;

/** Which limit a result tells of; just-bash says so in words alone. */
export function limitIn({ exitCode, stderr }: { exitCode: number; stderr: string }): string | undefined {
	if (exitCode !== limitStatus) return undefined;
	return stderr
		.split("\n")
		.find((line) =>
			/limit exceeded|\bexceeded\b.*(maximum|increase|\()|too many commands|maximum (recursion|nested)/.test(line),
		);
}

export const overLimit = (words: string): FileRefusal => ({
	code: "too_large",
	reason: "limit",
	message: `The command line went over a limit and was ended: ${nameLimit(words)}. Nothing was changed.`,
	retryable: false,
	gate: false,
});

const nameLimit = (words: string): string =>
	words
		.replace(/^(bash: )+/, "")
		.replace(/,? increase executionLimits\.\w+/, "")
		.trim();
