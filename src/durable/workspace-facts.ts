import type { FileSystem } from "../workspace/file-system";
import { nameBelow } from "../workspace/paths";
import { refusalOf } from "../workspace/refusal";
import { Refused } from "../workspace/refused";
import type { FileReply } from "../workspace/reply";
import type { EntryFacts, FileFacts } from "./workspace-calls";

/** What a path leads to, links followed. Throws as FileSystem does. */
export function factsOf(files: FileSystem, asked: string): FileFacts {
	const path = files.resolve(asked);
	const stat = files.stat(path);
	return { ...stat, path, ...(stat.kind === "file" && { etag: files.digest(path) }) };
}

/** A page of a directory, in byte order of the names. Throws as FileSystem does. */
export function entriesOf(
	files: FileSystem,
	directory: string,
	{ after, limit }: { after: string | undefined; limit: number },
): EntryFacts[] {
	const page: EntryFacts[] = [];
	const stayHere = () => false;
	for (const { path, stat } of files.walk(directory, stayHere, after)) {
		const target = stat.kind === "symlink" ? { target: files.readLink(path) } : {};
		page.push({ ...stat, name: nameBelow(directory, path), path, ...target });
		if (page.length === limit) break;
	}
	return page;
}

/** What a synchronous use answers, an expected failure as a reply. */
export function replied<Value>(run: () => Value): FileReply<Value> {
	try {
		return { ok: true, value: run() };
	} catch (error) {
		const refusal = refusalOf(error);
		if (!refusal) throw error;
		return { ok: false, ...refusal };
	}
}

export const changedMeanwhile = (path: string) =>
	new Refused({
		code: "conflict",
		reason: "changed_meanwhile",
		message: `${path} changed while it was read. Try again.`,
		retryable: true,
		gate: false,
	});
