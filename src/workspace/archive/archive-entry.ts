/** One thing that an archive holds, as it says of itself; nothing of it is judged yet but its form. */
export interface ArchiveEntry {
	readonly name: string;
	readonly kind: "file" | "directory" | "symlink";
	/** Permission bits, where the archive has them. */
	readonly mode: number | undefined;
	readonly mtimeMs: number | undefined;
	/** Where a symlink points. */
	readonly target?: string;
	/** Of a file. Read to its end or not at all, before the next entry is asked for. */
	readonly content: AsyncIterable<Uint8Array>;
}

type ArchiveReason =
	| "broken_archive"
	| "unsupported_archive"
	| "encrypted_archive"
	| "unsafe_name"
	| "unsafe_link"
	| "unsafe_type"
	| "duplicate_entry"
	| "archive_too_large";

/** No path is longer, but what an archive says may be. */
const maxShownChars = 4_095;

/** Why an archive is not unpacked, and which entry says so. */
export class ArchiveRefused extends Error {
	override readonly name = "ArchiveRefused";
	readonly reason: ArchiveReason;
	readonly entry: string | undefined;

	constructor(reason: ArchiveReason, message: string, entry?: string) {
		super(entry === undefined ? message : `The entry ${shown(entry)}: ${message}`);
		this.reason = reason;
		this.entry = entry?.slice(0, maxShownChars);
	}
}

/** A name that may hold anything, fit for a sentence. */
const shown = (name: string) => JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);

export const noContent: AsyncIterable<Uint8Array> = {
	async *[Symbol.asyncIterator]() {},
};

/** A name as text; undefined where it is not UTF-8, so that two names never become one. */
export function nameOf(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
