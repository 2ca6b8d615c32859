import type { Database } from "./database";
import type { Documents } from "./documents";
import { FsError } from "./fs-error";
import { addBytes } from "./layer-bytes";
import { type LastLink, lookup, type Place } from "./lookup";
import { NodeWriter } from "./node-writer";
import { type View, viewOf } from "./nodes";
import type { StoredMount } from "./virtual-tree";

/** Where a stored tree begins, and in which layer. */
export interface Root {
	readonly inode: number;
	/** Where reads begin. */
	layer(): number;
	/** Called before the first change and never inside the change's own transaction; may make the layer. */
	writable(): number;
	/** Called when a transaction was given up that `writable` may have been called in: what it made then is gone. */
	undone?(): void;
}

export interface FileSystemOptions {
	readonly roots: { readonly workspace: Root; readonly tmp: Root };
	readonly documents: Documents;
	readonly maxFileBytes: number;
	/** Of the layer written to: the workspace's quota or the job's cap. EDQUOT names it. */
	readonly maxBytes: number;
	readonly now: () => number;
}

/** The stored trees of a file system: looks up paths in them, and runs a change of one of them as a transaction. */
export class FileTrees {
	readonly db: Database;
	readonly options: FileSystemOptions;

	constructor(db: Database, options: FileSystemOptions) {
		this.db = db;
		this.options = options;
	}

	get documents(): Documents {
		return this.options.documents;
	}

	tree(mount: StoredMount): { view: View; id: number } {
		const root = this.options.roots[mount];
		return { view: viewOf(this.db, root.layer()), id: root.inode };
	}

	/** Throws FsError and DocumentsNeeded. */
	lookup(path: string, lastLink: LastLink = "follow", reach?: (place: string) => void): Place {
		return lookup(this, path, { lastLink, reach });
	}

	/** What was looked up before stays true: making a layer changes nothing that can be seen. Throws EDQUOT. */
	change<Result>(mount: StoredMount, path: string, run: (writer: NodeWriter) => Result): Result {
		const view = viewOf(this.db, this.options.roots[mount].writable());
		return this.db.transaction(() =>
			run(new NodeWriter(view, this.options.now(), (bytes) => charge(view, bytes, this.options.maxBytes, path))),
		);
	}

	/** Several changes, each with its own look at the roots, as one transaction. */
	atomically<Result>(run: () => Result): Result {
		try {
			return this.db.transaction(run);
		} catch (error) {
			this.options.roots.workspace.undone?.();
			this.options.roots.tmp.undone?.();
			throw error;
		}
	}
}

function charge({ db, top }: View, bytes: number, maxBytes: number, path: string): void {
	if (bytes === 0) return;
	const taken = addBytes(db, top, bytes);
	if (bytes < 0 || taken <= maxBytes) return;
	const used = taken - bytes;
	throw new FsError(
		"EDQUOT",
		path,
		`quota exceeded: ${used} of ${maxBytes} bytes are used, ${bytes} more were asked for`,
	);
}
