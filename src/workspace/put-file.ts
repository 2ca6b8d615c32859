import { judgePlace } from "../gates/file";
import { type Conditions, checkConditions } from "./conditions";
import type { WorkspaceContext } from "./context";
import { FsError } from "./fs-error";
import { FileRefused, resolveAsked, rulesOf } from "./guarded";
import { lookAt } from "./operations/look";
import { makeParents } from "./operations/parent";
import type { FileReply } from "./reply";
import type { Workspace } from "./workspace";

export interface PutOutcome {
	readonly path: string;
	readonly size: number;
	readonly etag: string;
	readonly created: boolean;
}

/** Makes a file of a stream, or replaces one, when all of it has come; directories above it are made. */
export async function putFile(
	workspace: Workspace,
	context: WorkspaceContext,
	{ path: asked, body, conditions = {} }: { path: string; body: AsyncIterable<Uint8Array>; conditions?: Conditions },
): Promise<FileReply<PutOutcome>> {
	const rules = rulesOf(context);
	return await workspace.receive(context, body, {
		look(files) {
			const path = resolveAsked(asked, rules);
			if (lookAt(files, path)?.kind === "directory") throw new FsError("EISDIR", path);
			const verdict = judgePlace({ asked: path, path: files.resolve(path) }, "write", rules);
			if (!verdict.ok) throw new FileRefused(verdict);
		},
		place(files, content) {
			const path = resolveAsked(asked, rules);
			const before = lookAt(files, path);
			checkConditions(files, path, conditions);
			if (!before) makeParents(files, path);
			files.place(path, content);
			return { path, size: content.size, etag: files.digest(path), created: !before };
		},
	});
}
