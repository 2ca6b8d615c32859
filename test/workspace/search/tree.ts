import type { FileKind, FileStat, FileSystem, WalkedFile } from "../../../src/workspace/file-system";
import { FsError } from "../../../src/workspace/fs-error";

export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

export function treeOf(tree: Tree): FileSystem {
	const nodes = new Map<string, { kind: FileKind; bytes: Uint8Array }>([
		["/", { kind: "directory", bytes: new Uint8Array() }],
	]);
	nodes.set("/workspace", { kind: "directory", bytes: new Uint8Array() });
	for (const [path, content] of Object.entries(tree)) {
		const parts = path.split("/").slice(1);
		for (let n = 1; n < parts.length; n++)
			nodes.set(`/${parts.slice(0, n).join("/")}`, { kind: "directory", bytes: new Uint8Array() });
		if (typeof content === "string") nodes.set(path, { kind: "file", bytes: new TextEncoder().encode(content) });
		else if (content instanceof Uint8Array) nodes.set(path, { kind: "file", bytes: content });
		else nodes.set(path, { kind: "symlink", bytes: new TextEncoder().encode(content.link) });
	}
	const get = (p: string) => {
		const n = nodes.get(p);
		if (!n) throw new FsError("ENOENT", p);
		return n;
	};
	const stat = (p: string): FileStat => ({
		inode: 0,
		kind: get(p).kind,
		mode: 0,
		size: get(p).bytes.length,
		mtimeMs: 0,
		ctimeMs: 0,
	});
	const children = new Map<string, string[]>();
	for (const p of nodes.keys())
		if (p !== "/") {
			const d = p.slice(0, p.lastIndexOf("/")) || "/";
			children.set(d, [...(children.get(d) ?? []), p]);
		}
	for (const list of children.values()) list.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	function* walk(p: string, enter: (path: string) => boolean = () => true): Generator<WalkedFile, void, void> {
		if (get(p).kind !== "directory") throw new FsError("ENOTDIR", p);
		for (const c of children.get(p) ?? []) {
			yield { path: c, stat: stat(c) };
			if (get(c).kind === "directory" && enter(c)) yield* walk(c, enter);
		}
	}
	return {
		stat,
		lstat: stat,
		walk,
		read: (p: string, r?: { offset?: number; length?: number }) =>
			get(p).bytes.subarray(r?.offset ?? 0, r?.length === undefined ? undefined : (r.offset ?? 0) + r.length),
		*readPieces(p: string) {
			const b = get(p).bytes;
			for (let i = 0; i < b.length; i += 524288) yield b.subarray(i, i + 524288);
		},
	} as unknown as FileSystem;
}
