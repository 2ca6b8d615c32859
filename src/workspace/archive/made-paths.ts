import { ArchiveRefused } from "./archive-entry";

type Kind = "file" | "directory" | "symlink";

export interface ArchiveLimits {
	readonly maxEntries: number;
	/** Of all names together. */
	readonly maxNameChars: number;
	/** Of all contents together, unpacked. */
	readonly maxBytes: number;
}

/** What an archive has named so far. It may name a directory again, but nothing else twice, and nothing below a file or a link of its own. */
export class MadePaths {
	readonly #kinds = new Map<string, Kind>();
	readonly #limits: Pick<ArchiveLimits, "maxEntries" | "maxNameChars">;
	#chars = 0;

	constructor(limits: Pick<ArchiveLimits, "maxEntries" | "maxNameChars">) {
		this.#limits = limits;
	}

	/** Throws ArchiveRefused. */
	add(path: string, kind: Kind): void {
		const known = this.#kinds.get(path);
		if (known === "directory" && kind === "directory") return;
		if (known) throw new ArchiveRefused("duplicate_entry", `the archive holds it twice, first as a ${known}.`, path);
		this.#addParents(path);
		this.#set(path, kind);
	}

	/** Upwards as far as nothing is known, so that each is looked at once. */
	#addParents(path: string): void {
		for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
			const parent = path.slice(0, end);
			const known = this.#kinds.get(parent);
			if (known === "directory") return;
			if (known)
				throw new ArchiveRefused(
					"duplicate_entry",
					`it lies below ${parent}, which the archive holds as a ${known}.`,
					path,
				);
			this.#set(parent, "directory");
		}
	}

	#set(path: string, kind: Kind): void {
		const { maxEntries, maxNameChars } = this.#limits;
		this.#kinds.set(path, kind);
		this.#chars += path.length;
		if (this.#kinds.size > maxEntries) {
			throw new ArchiveRefused(
				"archive_too_large",
				`It is one more than the ${maxEntries} files and directories that are unpacked.`,
				path,
			);
		}
		if (this.#chars > maxNameChars)
			throw new ArchiveRefused("archive_too_large", "The names in the archive are too long together.");
	}
}
