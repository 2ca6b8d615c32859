import * as z from "zod";

/** A file's content is cut at multiples of this many bytes, in the workspace and on the runner alike. */
export const chunkBytes = 524_288;

/**
 * SHA-256 of a chunk without the zeros at its end, in hexadecimal digits; 64 zeros stand for a chunk of nothing but zeros, which
 * never travels.
 */
export const chunkHash = z.string().regex(/^[0-9a-f]{64}$/);
export const holeHash = "0".repeat(64);

const isBelowTop = (path: string): boolean =>
	!path.includes("\0") && path.split("/").every((name) => name !== "" && name !== "." && name !== "..");

/** From the top of the workspace, `/` between names. */
export const mirrorPath = z.string().max(4_096).refine(isBelowTop, "A path below the top of the workspace.");

const shape = {
	path: mirrorPath,
	mode: z.number().int().min(0).max(0o777),
};

/** What stands at one path of a workspace. A directory stands before what is in it. */
export const mirrorEntry = z.discriminatedUnion("kind", [
	z.object({ ...shape, kind: z.literal("directory") }),
	z.object({ ...shape, kind: z.literal("symlink"), target: z.string().min(1).max(4_096) }),
	z.object({
		...shape,
		kind: z.literal("file"),
		mtimeMs: z.number(),
		size: z.number().int().nonnegative(),
		chunks: z.array(chunkHash),
	}),
]);
export type MirrorEntry = z.output<typeof mirrorEntry>;

/** The files that a program is to find; what the runner has of an earlier call is not sent again. */
export const mirrorState = z.object({
	/** One mirror for one workspace or job; letters, digits, `-` and `_`. */
	id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
	entries: z.array(mirrorEntry).max(200_000),
});

/** Chunks that the runner lacks before it can begin; send them, then ask again. */
export const missingChunks = z.object({ missing: z.array(chunkHash) });

/** What a program left otherwise than it found it. */
export const mirrorChanges = z.object({
	/** Names the state on the runner that `changed` speaks of; its chunks are read with it. */
	revision: z.string(),
	/** Sorted by path; what is below a removed directory is not named. */
	removed: z.array(z.string()),
	/** Added or changed, a directory before what is in it. */
	changed: z.array(mirrorEntry),
	/** Left on the runner because a workspace cannot hold it, with the reason. */
	skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type MirrorChanges = z.output<typeof mirrorChanges>;
