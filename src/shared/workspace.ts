import * as z from "zod";

/** A path in a workspace as a client writes it. */
export const workspacePath = z
	.string()
	.min(1)
	.max(16_384)
	.describe("Absolute (`/workspace/src`), or relative to the workspace root.");

const fileKind = z.enum(["file", "directory", "symlink"]);

export const workspaceView = z.object({
	name: z.string(),
	agents: z.array(z.string()).describe("Who works in it."),
});

export const fileView = z.object({
	name: z.string(),
	path: z.string().describe("Absolute."),
	kind: fileKind,
	size: z.number().describe("Bytes; 0 of a directory."),
	target: z.string().nullable().describe("Where a symbolic link points, as it is written; null of anything else."),
	mode: z.string().describe("Permission bits in octal digits; they are kept, and gate nothing."),
	modifiedAt: z.iso.datetime(),
});

export const putView = z.object({
	path: z.string().describe("Absolute."),
	size: z.number(),
	etag: z.string().describe("The header ETag without its quotes."),
});

export const directoryView = z.object({ path: z.string() });

export const fileMove = z.strictObject({ from: workspacePath, to: workspacePath });
export const movedView = z.object({
	from: z.string(),
	to: z.string(),
	kind: fileKind,
	replaced: z.boolean().describe("Whether a file was there before."),
});

export const unpackedView = z.object({
	path: z.string().describe("The directory that was unpacked into."),
	files: z.number(),
	directories: z.number().describe("Those that the archive names and that were not there before."),
	links: z.number(),
	bytes: z.number().describe("Of all contents, unpacked."),
	skipped: z
		.array(z.object({ path: z.string(), reason: z.string() }))
		.describe("Entries that a rule protects, at most 1,000; everything else was unpacked."),
	moreSkipped: z.number(),
});

export const jobView = z.object({
	id: z.string(),
	state: z.enum(["open", "committed", "rolled_back", "expired"]),
	sessionId: z
		.string()
		.nullable()
		.describe("Whose changes it holds (`write_mode: staged`); null when made over the API."),
	bytes: z.number().describe("What its files hold."),
	maxBytes: z.number().describe("A write beyond it is refused, and the job kept."),
	createdAt: z.iso.datetime(),
	usedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime().nullable().describe("Without another use it is then rolled back; null once it is over."),
});

export const jobWithChanges = jobView.extend({
	changes: z
		.array(
			z.object({
				path: z.string(),
				change: z.enum(["added", "modified", "removed"]),
				kind: fileKind,
				sizeBefore: z.number().nullable(),
				sizeAfter: z.number().nullable(),
			}),
		)
		.describe("By path, at most 1,000; a rename is a removal and an addition."),
	moreChanges: z.number(),
});
