import type { FileSystem } from "../../../src/workspace/file-system";
import { memoryWorkspace } from "../../support/node/workspace";

/** Content by absolute path: text, bytes, or a symlink. */
export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

/** A workspace with these files in it. */
export function treeOf(tree: Tree): FileSystem {
	const { files } = memoryWorkspace();
	for (const [path, content] of Object.entries(tree)) {
		files.makeDirectory(path.slice(0, path.lastIndexOf("/")), { parents: true });
		if (typeof content === "string") files.write(path, new TextEncoder().encode(content));
		else if (content instanceof Uint8Array) files.write(path, content);
		else files.symlink(content.link, path);
	}
	return files;
}
