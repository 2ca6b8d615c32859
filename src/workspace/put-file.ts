import { judgePlace } from "../gates/file";
import type { WorkspaceContext } from "./context";
import { FsError } from "./fs-error";
import { FileRefused, resolveAsked, rulesOf } from "./guarded";
import { lookAt } from "./operations/look";
import { makeParents } from "./operations/parent";
import { Refused } from "./refused";
import type { FileReply } from "./reply";
import type { Workspace } from "./workspace";

/** What must be true of the file that stands there (RFC 9110, section 13.1). `etags` without their quotes. */
export interface PutConditions {
	readonly ifMatch?: readonly string[] | "*";
	readonly ifNoneMatch?: readonly string[] | "*";
}

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
	{ path: asked, body, conditions = {} }: { path: string; body: AsyncIterable<Uint8Array>; conditions?: PutConditions },
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
			const etag = before && files.digest(path);
			if (!holds(conditions, etag)) throw new Refused(preconditionFailed(path));
			if (!before) makeParents(files, path);
			files.place(path, content);
			return { path, size: content.size, etag: files.digest(path), created: !before };
		},
	});
}

function holds({ ifMatch, ifNoneMatch }: PutConditions, etag: string | undefined): boolean {
	const isOne = (wanted: readonly string[] | "*") => etag !== undefined && (wanted === "*" || wanted.includes(etag));
	return (ifMatch === undefined || isOne(ifMatch)) && (ifNoneMatch === undefined || !isOne(ifNoneMatch));
}

const preconditionFailed = (path: string) => ({
	code: "conflict" as const,
	reason: "precondition_failed",
	message: `${path} is not as the request says it must be. Read it again and send its ETag.`,
	retryable: true,
	gate: false,
});
