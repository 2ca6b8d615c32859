import type { FileSystem } from "../../../src/workspace/file-system";
import { documentsOf, memoryWorkspace } from "./workspace";

const documents = documentsOf({
	"/skills/x/SKILL.md": "# x",
	"/memory/MEMORY.md": "- remembered",
	"/artifacts/1": "output",
});

/** An empty workspace and its `/tmp` in memory, with one document of each kind; nothing guards it. */
export const openFiles = (): FileSystem => memoryWorkspace({ documents }).files;

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
