import { holeHash, type MirrorEntry } from "../shared/runner-mirrors";

/** A larger mirror is not remembered: its list would take more memory than an exchange takes time. */
const maxKnown = 50_000;

/**
 * The chunks that the runner's last used mirror had: what is not among them is sent before it is asked for. Only a guess, since
 * another runner may have taken the place of the one that had them.
 */
export class KnownChunks {
	#mirror: string | undefined;
	#hashes: ReadonlySet<string> = new Set();

	/** What the mirror is to lack of these files; nothing where it is not known. */
	lackedBy(mirror: string, entries: readonly MirrorEntry[]): string[] {
		if (mirror !== this.#mirror) return [];
		return [...chunksOf(entries)].filter((hash) => !this.#hashes.has(hash));
	}

	/** The mirror has these files now. */
	note(mirror: string, entries: readonly MirrorEntry[]): void {
		const hashes = chunksOf(entries);
		this.#mirror = hashes.size <= maxKnown ? mirror : undefined;
		this.#hashes = this.#mirror ? hashes : new Set();
	}
}

function chunksOf(entries: readonly MirrorEntry[]): Set<string> {
	const hashes = new Set(entries.flatMap((entry) => (entry.kind === "file" ? entry.chunks : [])));
	hashes.delete(holeHash);
	return hashes;
}
