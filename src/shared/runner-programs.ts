import * as z from "zod";
import { environmentNames, programEnd, programLimits, programName } from "./runner";
import { mirrorChanges, mirrorPath, mirrorState } from "./runner-mirrors";
import { networkRules } from "./runner-network";

const noNul = z.string().refine((text) => !text.includes("\0"), "No NUL.");

/**
 * The first line of the body of `POST /programs`, as JSON; what follows it is the program's standard input, to the end of the
 * body. Answers: 409 with `missingChunks` before anything was started, else a stream of `programFrame`, a line each.
 */
export const programRequest = z.strictObject({
	program: programName,
	args: z.array(noNul.max(131_071)).max(4_096),
	/** From the top of the workspace; empty for the top itself. */
	cwd: z.union([z.literal(""), mirrorPath]),
	/** Only what differs from the runner's own choice; PATH, HOME and TMPDIR are always the runner's. */
	environment: z.partialRecord(z.enum(environmentNames).exclude(["PATH", "HOME", "TMPDIR"]), noNul.max(4_096)),
	limits: programLimits,
	/** Refuses with `sandbox_unavailable` where the backend in force is `none`. */
	requireSandbox: z.boolean(),
	/** Opens the network, as far as these let it; without them there is none. */
	network: networkRules.optional(),
	mirror: mirrorState,
	/** Paths that the program may read and not write, whether they are there or not. */
	protectedPaths: z.array(mirrorPath).max(10_000),
});
export type ProgramRequest = z.output<typeof programRequest>;

/** The last frame is always `ended` or `failed`; without it the outcome is unknown. */
export const programFrame = z.discriminatedUnion("type", [
	z.object({ type: z.literal("started") }),
	/** `data` is base64. */
	z.object({ type: z.enum(["stdout", "stderr"]), data: z.base64() }),
	z.object({ type: z.literal("ended"), end: programEnd, changes: mirrorChanges }),
	/** The program was run, and what it left cannot be used. */
	z.object({ type: z.literal("failed"), code: z.enum(["too_large", "internal"]), message: z.string() }),
]);
export type ProgramFrame = z.output<typeof programFrame>;

/** Why the runner refuses, before anything is started. */
export const runnerRefusal = z.object({
	code: z.enum([
		"unauthorized",
		"invalid_input",
		"too_large",
		"not_found",
		"program_missing",
		"conflict",
		"sandbox_unavailable",
		"draining",
		"internal",
		/** Said by the Worker's side: the runner did not answer, so nothing was started. */
		"unreachable",
		/** Said by the Worker's side: the connection broke after the request was sent. */
		"lost",
	]),
	message: z.string(),
});
export type RunnerRefusal = z.output<typeof runnerRefusal>;
