import type { Documents } from "../../../src/workspace/documents";
import type { FileSystem } from "../../../src/workspace/file-system";
import { FsError } from "../../../src/workspace/fs-error";
import {
	type FileSystemOptions,
	openFileSystem,
	openRoot,
	type Root,
	setUp,
} from "../../../src/workspace/open-file-system";
import { SqliteDatabase } from "./sqlite-database";

/** A root that is read and written in one layer. */
export const rootIn = (inode: number, layer = 0): Root => ({ inode, layer: () => layer, writable: () => layer });

/** Directories `/skills`, `/memory` and `/artifacts` with nothing in them. */
export const noDocuments: Documents = {
	look: (path) => (/^\/[a-z]+$/.test(path) ? { kind: "directory", names: [] } : undefined),
};

/** Documents by path, as `{"/memory/MEMORY.md": "text"}`. */
export function documentsOf(texts: Readonly<Record<string, string>>): Documents {
	return {
		look(path) {
			const text = texts[path];
			if (text !== undefined) return { kind: "file", text, mtimeMs: 1_000 };
			const below = Object.keys(texts).filter((key) => key.startsWith(`${path}/`));
			const names = new Set(below.map((key) => key.slice(path.length + 1).split("/")[0] ?? ""));
			return names.size > 0 ? { kind: "directory", names: [...names] } : noDocuments.look(path);
		},
	};
}

export interface MemoryWorkspace {
	readonly db: SqliteDatabase;
	readonly files: FileSystem;
	/** The inode of `/workspace`. */
	readonly inode: number;
	readonly options: FileSystemOptions;
}

/** A workspace in memory, ready for use; its clock goes on by a millisecond with each look at it. */
export function memoryWorkspace(over: Partial<FileSystemOptions> = {}, db = new SqliteDatabase()): MemoryWorkspace {
	setUp(db);
	const inode = openRoot(db, "workspace");
	let now = 1_800_000_000_000;
	const options: FileSystemOptions = {
		roots: { workspace: rootIn(inode), tmp: rootIn(openRoot(db, "tmp:test")) },
		documents: noDocuments,
		maxFileBytes: 104_857_600,
		maxBytes: 1_073_741_824,
		now: () => now++,
		...over,
	};
	return { db, files: openFileSystem(db, options), inode, options };
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (data: Uint8Array): string => new TextDecoder().decode(data);

/** The code that something is refused with, or "done". */
export function codeOf(run: () => unknown): string {
	try {
		run();
		return "done";
	} catch (error) {
		if (error instanceof FsError) return error.code;
		throw error;
	}
}

/** A file, a directory with one in it, symlinks that lead nowhere, and documents. */
export function someFiles(): FileSystem {
	const { files } = memoryWorkspace({
		documents: documentsOf({ "/skills/one/SKILL.md": "# One", "/memory/MEMORY.md": "é", "/artifacts/42": "out" }),
	});
	files.makeDirectory("/workspace/d");
	files.write("/workspace/f", bytes("hello"));
	files.write("/workspace/d/x", bytes("x"));
	files.symlink("missing", "/workspace/dangling");
	files.symlink("loop", "/workspace/loop");
	return files;
}
