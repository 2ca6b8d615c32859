import * as z from "zod";
import { resourceName } from "./names";
import { programLimits, programName } from "./runner";

/** Programs that may start an MCP server; administrators may add names (features.md F20, X19). */
export const launchers = [
	"npx",
	"node",
	"python",
	"python3",
	"uvx",
	"uv",
	"deno",
	"bun",
	"docker",
	"cargo",
	"go",
	"ruby",
	"php",
	"dotnet",
	"java",
] as const;

/** Variables that would make a launcher run or load something else; no configuration may set them (features.md D13, X18). */
export const dangerousNames: ReadonlySet<string> = new Set([
	"LD_PRELOAD",
	"LD_LIBRARY_PATH",
	"LD_AUDIT",
	"LD_DEBUG",
	"DYLD_INSERT_LIBRARIES",
	"DYLD_LIBRARY_PATH",
	"DYLD_FRAMEWORK_PATH",
	"BASH_ENV",
	"ENV",
	"CDPATH",
	"PATH",
	"PYTHONPATH",
	"PYTHONSTARTUP",
	"NODE_OPTIONS",
	"NODE_PATH",
	"RUBYOPT",
	"RUBYLIB",
	"PERL5OPT",
	"PERL5LIB",
]);

/** Whether a variable is one of those, in any letter case, or another that the dynamic linker reads. */
export const isDangerousName = (name: string): boolean =>
	dangerousNames.has(name.toUpperCase()) || /^(LD|DYLD)_/i.test(name);

export const serverId = resourceName;

const noNul = z.string().refine((text) => !text.includes("\0"), "No NUL.");

const environmentName = z
	.string()
	.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "A name of letters, digits and '_'.")
	.refine((name) => !isDangerousName(name), "This variable may not be set: it changes what the launcher runs.");

/** How long each thing may take, in milliseconds. */
export const serverDeadlines = z.strictObject({
	/** From the first request to the first answer of a process. */
	startTimeoutMs: z.number().int().min(100).max(600_000).default(30_000),
	/** Without an answer or a sign of progress. */
	requestTimeoutMs: z.number().int().min(100).max(3_600_000).default(60_000),
	/** Whatever progress there is. */
	maxRequestMs: z.number().int().min(100).max(3_600_000).default(600_000),
	/** Without a request; the next one starts the server again. */
	idleStopMs: z.number().int().min(100).max(86_400_000).default(300_000),
	/** Between the end of its input and SIGTERM. */
	closeGraceMs: z.number().int().min(0).max(60_000).default(2_000),
});

/** What `PUT /mcp/{id}` says: how a stdio MCP server is started and what it may use. */
export const serverSpec = z.strictObject({
	command: programName,
	args: z.array(noNul.max(32_768)).max(512).default([]),
	/** All that the server gets besides PATH, HOME and TMPDIR, which are the runner's. */
	env: z.record(environmentName, noNul.max(32_768)).default({}),
	limits: programLimits.omit({ timeoutMs: true }).partial().default({}),
	deadlines: serverDeadlines.prefault({}),
	/** Of one message, in either direction. */
	maxMessageBytes: z.number().int().min(1_024).max(67_108_864).default(10_485_760),
});
export type ServerSpec = z.output<typeof serverSpec>;

/** Why a server does not run, or why a request to it failed. */
export const serverFailureReason = z.enum([
	"launcher_unavailable",
	"launcher_unresponsive",
	"start_failed",
	"backing_off",
	"ended",
	"stopped",
	"timed_out",
	"cancelled",
	"message_too_large",
	"overloaded",
]);
export type ServerFailureReason = z.output<typeof serverFailureReason>;

/** `error.data` of a JSON-RPC error that the runner itself gives. */
export const serverFailure = z.object({
	reason: serverFailureReason,
	/** `not_started`: the server never saw the request, which may be sent again. */
	outcome: z.enum(["not_started", "unknown"]),
	retryAfterMs: z.number().optional(),
});
export type ServerFailure = z.output<typeof serverFailure>;

const tail = z.object({
	text: z.string(),
	/** What was more than is kept. */
	droppedCharacters: z.number().int(),
});

/** What an operator sees of a hosted server; declared values of the environment never stand in it. */
export const serverStatus = z.object({
	id: serverId,
	/** Names the configuration in force. */
	configHash: z.string(),
	command: z.string(),
	state: z.enum(["stopped", "starting", "running", "backing_off", "failed", "unavailable"]),
	/** Of the last failure; cleared by the next start. */
	code: z.string().optional(),
	message: z.string().optional(),
	retryAt: z.iso.datetime().optional(),
	startedAt: z.iso.datetime().optional(),
	starts: z.number().int(),
	crashes: z.number().int(),
	lastEnd: z.string().optional(),
	sessions: z.number().int(),
	calls: z.number().int(),
	/** Lines of standard output that are no message, which are skipped. */
	noise: tail.extend({ lines: z.number().int() }),
	/** Messages over the limit, and answers that nobody waits for. */
	tooLargeMessages: z.number().int(),
	strayAnswers: z.number().int(),
	stderr: tail,
});
export type ServerStatus = z.output<typeof serverStatus>;
