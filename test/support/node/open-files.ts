import type { FileSystem } from "../../../src/workspace/file-system";
import { openFileSystem, openRoot, setUp } from "../../../src/workspace/open-file-system";
import { SqliteDatabase } from "./sqlite-database";

/** An empty workspace and its `/tmp` in memory, with one document of each kind; nothing guards it. */
export function openFiles(): FileSystem {
	const db = new SqliteDatabase();
	setUp(db);
	const rootOf = (name: string) => ({ inode: openRoot(db, name), layer: () => 0, writable: () => 0 });
	return openFileSystem(db, {
		roots: { workspace: rootOf("workspace"), tmp: rootOf("tmp:test") },
		documents: { look: (path) => documents[path] },
		maxFileBytes: 1_000_000,
		maxBytes: 10_000_000,
		now: () => 0,
	});
}

const directory = (...names: string[]) => ({ kind: "directory", names }) as const;
const file = (text: string) => ({ kind: "file", text, mtimeMs: 0 }) as const;

const documents: Readonly<Record<string, ReturnType<typeof directory> | ReturnType<typeof file>>> = {
	"/skills": directory("x"),
	"/skills/x": directory("SKILL.md"),
	"/skills/x/SKILL.md": file("# x"),
	"/memory": directory("MEMORY.md"),
	"/memory/MEMORY.md": file("- remembered"),
	"/artifacts": directory("1"),
	"/artifacts/1": file("output"),
};

/** Writes files, making the directories that they need. */
export function plant(files: FileSystem, texts: Readonly<Record<string, string>>): void {
	for (const [path, text] of Object.entries(texts)) {
		files.makeDirectory(path.slice(0, path.lastIndexOf("/")), { parents: true });
		files.write(path, new TextEncoder().encode(text));
	}
}

/** Everything that can be changed, as it stands: kind, mode, time and content of each path. */
export function contentsOf(files: FileSystem, tops: readonly string[] = ["/workspace", "/tmp"]): string[] {
	return tops.flatMap((top) =>
		[...files.walk(top)].map(({ path, stat }) => {
			const content = stat.kind === "symlink" ? files.readLink(path) : "";
			const digest = stat.kind === "file" ? files.digest(path) : "";
			return `${path} ${stat.kind} ${stat.mode} ${stat.mtimeMs} ${content}${digest}`;
		}),
	);
}
