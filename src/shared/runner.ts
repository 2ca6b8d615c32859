import * as z from "zod";
import { networkOutcome } from "./runner-network";

/** Header of each answer of a runner: which life of it spoke. A new one has forgotten every mirror and server. */
export const incarnationHeader = "oryx-runner-incarnation";

/** Sandboxes for a program, strongest first (features.md D8 to D10). */
export const sandboxBackend = z.enum(["bubblewrap", "namespaces", "landlock", "docker", "firejail", "none"]);
export type SandboxBackend = z.output<typeof sandboxBackend>;

/** The only variables that a program gets (features.md D11). */
export const environmentNames = [
	"PATH",
	"HOME",
	"TERM",
	"LANG",
	"LC_ALL",
	"LC_CTYPE",
	"USER",
	"SHELL",
	"TMPDIR",
] as const;

/** A program is named, never addressed: no folder, no option. */
export const programName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}$/, "A bare program name.");

/** What one program and everything it starts may use (features.md D12, X43). */
export const programLimits = z.strictObject({
	/** Wall clock. */
	timeoutMs: z.number().int().min(1).max(600_000),
	maxMemoryMb: z.number().int().min(16).max(65_536),
	maxCpuPercent: z.number().int().min(1).max(6_400),
	maxCpuTimeSeconds: z.number().int().min(1).max(3_600),
	maxOpenFiles: z.number().int().min(16).max(65_536),
	maxSubprocesses: z.number().int().min(1).max(4_096),
});
export type ProgramLimits = z.output<typeof programLimits>;

/** What came of trying the sandboxes when the runner started. */
export const sandboxReport = z.object({
	/** The one in force. */
	backend: sandboxBackend,
	/** All that confines a program, such as `bubblewrap`, `landlock`, `seccomp`. */
	layers: z.array(z.string()),
	/** Each that was tried and did not hold, with what its trial said. */
	failed: z.array(z.object({ backend: sandboxBackend, reason: z.string() })),
	/** Limits that this machine cannot hold, with the reason. */
	unsupportedLimits: z.array(z.object({ limit: z.string(), reason: z.string() })),
	/** Why a program cannot be given a network through the proxy; absent where it can. */
	egressProblem: z.string().optional(),
	/** Why nothing is run: none of the sandboxes holds, and running without is not allowed. */
	refusal: z.string().optional(),
});
export type SandboxReport = z.output<typeof sandboxReport>;

export const runnerHealth = z.object({
	status: z.enum(["ok", "draining"]),
	incarnation: z.string(),
	version: z.string(),
	sandbox: sandboxReport,
	/** Programs found on the runner's PATH, of those that agents commonly use. */
	programs: z.array(z.string()),
	running: z.object({ programs: z.number(), servers: z.number() }),
});
export type RunnerHealth = z.output<typeof runnerHealth>;

/** How a program ended, or was ended. */
export const programEnd = z.object({
	/** Undefined when a signal ended it. */
	exitCode: z.number().int().optional(),
	signal: z.string().optional(),
	/** Why the runner ended it, when it did. */
	endedBy: z.enum(["timeout", "cancelled", "output_limit", "memory_limit"]).optional(),
	durationMs: z.number(),
	cpuMs: z.number(),
	peakMemoryBytes: z.number(),
	/** What was more than is kept of each stream. */
	droppedStdoutBytes: z.number().int(),
	droppedStderrBytes: z.number().int(),
	/** The sandbox that held it. */
	backend: sandboxBackend,
	/** What it reached, where the request opened the network. */
	network: networkOutcome.optional(),
});
export type ProgramEnd = z.output<typeof programEnd>;
