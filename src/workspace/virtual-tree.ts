import type { Documents } from "./documents";
import type { DirectoryEntry, FileKind, FileStat } from "./file-system";
import { compareBytes } from "./names";

/** A read-only document or directory that no table holds. */
export interface VirtualNode {
	readonly path: string;
	readonly kind: FileKind;
	readonly text?: string;
	readonly mtimeMs?: number;
}

const mounts = ["artifacts", "memory", "skills"];
/** Where stored trees hang. */
const storedMounts = ["tmp", "workspace"] as const;
export type StoredMount = (typeof storedMounts)[number];

export const isStoredMount = (name: string): name is StoredMount => storedMounts.some((mount) => mount === name);
export const virtualRoot: VirtualNode = { path: "/", kind: "directory" };

/** What a virtual directory has under a name. Throws DocumentsNeeded. */
export function virtualChild(documents: Documents, parent: VirtualNode, name: string): VirtualNode | undefined {
	if (parent.path === "/") return mounts.includes(name) ? { path: `/${name}`, kind: "directory" } : undefined;
	const path = `${parent.path}/${name}`;
	const found = documents.look(path);
	return found && { path, ...found };
}

/** Throws DocumentsNeeded. */
export function virtualEntries(documents: Documents, { path }: VirtualNode): DirectoryEntry[] {
	if (path === "/") return [...mounts, ...storedMounts].map((name) => ({ name, kind: "directory" }));
	const found = documents.look(path);
	const names = found?.kind === "directory" ? [...found.names].sort(compareBytes) : [];
	return names.map((name) => ({ name, kind: path === "/skills" ? "directory" : "file" }));
}

/** Its inode is 0: it has none. */
export function virtualStat({ kind, text = "", mtimeMs = 0 }: VirtualNode): FileStat {
	const size = new TextEncoder().encode(text).length;
	return { inode: 0, kind, mode: kind === "directory" ? 0o555 : 0o444, size, mtimeMs, ctimeMs: mtimeMs };
}
