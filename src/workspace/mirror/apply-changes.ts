import { fromHex } from "../../lib/hash";
import { chunkBytes, holeHash, type MirrorChanges, type MirrorEntry } from "../../shared/runner-mirrors";
import type { FileStat, FileSystem } from "../file-system";
import { FsError } from "../fs-error";
import { childOf } from "../paths";
import { mirroredRoot } from "./mirror-entries";

type FileEntry = Extract<MirrorEntry, { kind: "file" }>;

export interface ApplyOptions {
	/** Judges each path; what a program may not change here is refused here. */
	readonly files: FileSystem;
	/** A chunk that some file here has. */
	find(hash: Uint8Array): Uint8Array | undefined;
	/** Chunks that none has, in the order asked for. */
	fetch(hashes: readonly string[]): AsyncIterable<{ readonly hash: string; readonly bytes: Uint8Array }>;
	/** Runs a piece of it, loading documents where it looks at them. */
	read<Result>(run: () => Result): Promise<Result>;
}

/** Brings into the files what a program changed in its mirror of them. Throws as the files do; the caller's layer is then half-changed. */
export async function applyChanges({ removed, changed }: MirrorChanges, options: ApplyOptions): Promise<void> {
	const { files, read } = options;
	for (const path of removed) await read(() => removeIfThere(files, placeOf(path)));
	const content = contentSource(changed, options);
	try {
		for (const entry of changed) {
			const bytes = entry.kind === "file" ? await content.of(entry) : undefined;
			await read(() => put(files, entry, bytes));
		}
	} finally {
		await content.close();
	}
}

const placeOf = (path: string): string => childOf(mirroredRoot, path);

function removeIfThere(files: FileSystem, path: string): void {
	try {
		files.removeTree(path);
	} catch (error) {
		if (!(error instanceof FsError && error.code === "ENOENT")) throw error;
	}
}

function statAt(files: FileSystem, path: string): FileStat | undefined {
	try {
		return files.lstat(path);
	} catch (error) {
		if (error instanceof FsError && error.code === "ENOENT") return undefined;
		throw error;
	}
}

type Content = ReturnType<FileSystem["beginContent"]>;

function put(files: FileSystem, entry: MirrorEntry, content: Content | undefined): void {
	const path = placeOf(entry.path);
	const found = statAt(files, path);
	const before = found?.kind === entry.kind && entry.kind !== "symlink" ? found : undefined;
	if (found && !before) files.removeTree(path);
	if (entry.kind === "symlink") files.symlink(entry.target, path);
	else if (content) files.place(path, content, entry);
	else if (!before) files.makeDirectory(path, { mode: entry.mode });
	if (before && before.mode !== entry.mode) files.chmod(path, entry.mode);
}

/** Content of changed files, of which only what is nowhere here is fetched: all of it in one request, and no chunk twice. */
function contentSource(changed: readonly MirrorEntry[], { files, find, fetch }: ApplyOptions) {
	const wanted = changed.flatMap((entry) => (entry.kind === "file" ? entry.chunks : []));
	const lacking = new Set(wanted.filter((hash) => hash !== holeHash && !find(fromHex(hash))));
	const fetched = fetch([...lacking])[Symbol.asyncIterator]();

	const chunk = async (hash: string): Promise<Uint8Array> => {
		const known = find(fromHex(hash));
		if (known) return known;
		// It was here until a file before this one was replaced.
		const source = lacking.has(hash) ? fetched : fetch([hash])[Symbol.asyncIterator]();
		const next = await source.next();
		if (next.done || next.value.hash !== hash) throw new Error("The runner sent other chunks than were asked for.");
		return next.value.bytes;
	};

	return {
		async of({ size, chunks }: FileEntry): Promise<Content> {
			const content = files.beginContent();
			try {
				for (const [index, hash] of chunks.entries()) {
					const bytes = new Uint8Array(Math.min(chunkBytes, size - index * chunkBytes));
					bytes.set(await chunk(hash));
					content.write(bytes);
				}
				return content;
			} catch (error) {
				content.discard();
				throw error;
			}
		},
		async close(): Promise<void> {
			await fetched.return?.();
		},
	};
}
