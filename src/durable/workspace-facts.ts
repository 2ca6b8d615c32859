import type { FileSystem } from "../workspace/file-system";
import { compareBytes } from "../workspace/names";
import { childOf } from "../workspace/paths";
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
	const entries = files.readDirectory(directory);
	const from = after === undefined ? 0 : entries.findIndex(({ name }) => compareBytes(name, after) > 0);
	const page = from < 0 ? [] : entries.slice(from, from + limit);
	return page.map(({ name }) => {
		const path = childOf(directory, name);
		const stat = files.lstat(path);
		return { ...stat, name, path, ...(stat.kind === "symlink" && { target: files.readLink(path) }) };
	});
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
