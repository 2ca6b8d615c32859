export type FileKind = "file" | "directory" | "symlink";

export interface FileStat {
	readonly inode: number;
	readonly kind: FileKind;
	/** Permission bits only, `0o644`; kept for programs and archives, never a gate. */
	readonly mode: number;
	/** Bytes; a symlink's is that of its target text, a directory's 0. */
	readonly size: number;
	readonly mtimeMs: number;
	readonly ctimeMs: number;
}

export interface DirectoryEntry {
	readonly name: string;
	readonly kind: FileKind;
}

/** Content that is being put down piece by piece; nothing of it can be seen before it is placed. */
export interface ContentWriter {
	readonly size: number;
	write(bytes: Uint8Array): void;
	/** Gives up what was written; harmless after `place`. */
	discard(): void;
}

/**
 * A POSIX-like tree, synchronous: whoever checks and then acts without an `await` between cannot be overtaken.
 * Paths are absolute and normal in text (`resolvePath`); every component but the last is followed through symlinks,
 * the last where POSIX does. Each method that changes something is one transaction. Throws FsError.
 */
export interface FileSystem {
	stat(path: string): FileStat;
	lstat(path: string): FileStat;
	/**
	 * The path with every symlink resolved; a missing tail is kept as it is, so the place a write would reach is known before it exists.
	 * `reach` hears of each place that a symlink leads to or through before it is looked at, and may throw.
	 */
	resolve(path: string, options?: { lastLink: "follow" | "keep"; reach?: (place: string) => void }): string;
	/** In byte order of the names. */
	readDirectory(path: string): DirectoryEntry[];
	readLink(path: string): string;
	/** At most `length` bytes from `offset`; fewer at the end. */
	read(path: string, range?: { offset?: number; length?: number }): Uint8Array;
	/**
	 * The same in pieces of at most 512 KiB, each of which lasts until the next is asked for; a change meanwhile is not seen by
	 * a reader that has begun.
	 */
	readPieces(path: string, range?: { offset?: number; length?: number }): Generator<Uint8Array, void, void>;
	/** Identifies content: equal for equal bytes. For ETags and the mirror of the runner. */
	digest(path: string): string;
	/** Replaces the content, making the file where it is missing; its parent must be there. */
	write(path: string, bytes: Uint8Array, options?: { mode?: number; exclusive?: boolean }): void;
	/** Answers the new size. */
	append(path: string, bytes: Uint8Array): number;
	/** Writes in the middle or after the end; what lies between is zero and takes no room. */
	writeAt(path: string, offset: number, bytes: Uint8Array): void;
	truncate(path: string, size: number): void;
	beginContent(): ContentWriter;
	/** Gives a file the content of a writer, and a time if one is said, all at once, making it where it is missing. */
	place(
		path: string,
		content: ContentWriter,
		options?: { mode?: number | undefined; mtimeMs?: number | undefined; exclusive?: boolean },
	): void;
	makeDirectory(path: string, options?: { parents?: boolean; mode?: number }): void;
	/** Of an empty directory. */
	removeDirectory(path: string): void;
	/** Of a file or a symlink itself. */
	unlink(path: string): void;
	/** Of a directory with everything in it, or of anything else. */
	removeTree(path: string): void;
	/** As rename(2): atomic, replaces a file by a file and an empty directory by a directory. */
	rename(from: string, to: string): void;
	/** Of one regular file, its bytes shared; replaces an existing file. */
	copyFile(from: string, to: string): void;
	symlink(target: string, path: string): void;
	chmod(path: string, mode: number): void;
	setTimes(path: string, times: { mtimeMs: number }): void;
	/**
	 * Everything below a path in order (a directory before what is in it, names in byte order), links not followed; `enter` says
	 * which directories to go into, `after` with which name of the path's own not to begin yet. Reads no further than it is followed.
	 */
	walk(path: string, enter?: (path: string) => boolean, after?: string): Generator<WalkedFile, void, void>;
	/** The same walk for whoever goes on to read the files: none of their paths is followed a second time. */
	walkContent(path: string, enter?: (path: string) => boolean): Generator<ReadableFile, void, void>;
	/** The same walk for whoever must know all but the bytes. */
	walkChunks(path: string, enter?: (path: string) => boolean): Generator<ChunkedFile, void, void>;
	/** Runs several changes as one: all of them or none. */
	atomically<Result>(run: () => Result): Result;
}

export interface WalkedFile {
	readonly path: string;
	readonly stat: FileStat;
}

export interface ReadableFile extends WalkedFile {
	/** All bytes of a regular file. Throws ENOENT when it has been removed since. */
	read(): Uint8Array;
}

export interface ChunkedFile extends WalkedFile {
	/** Hashes of a file's chunks (chunks.ts), one after the other; nothing for what is no file. */
	readonly chunks: Uint8Array;
	/** Of a symlink. */
	readonly target: string | null;
}
