import type { FileSystem } from "../workspace/file-system";
import { refusalOf } from "../workspace/refusal";
import type { FileReply } from "../workspace/reply";
import { Refused } from "../workspace/workspace";
import type { FileFacts } from "./workspace-calls";

/** What a path leads to, links followed. Throws as FileSystem does. */
export function factsOf(files: FileSystem, asked: string): FileFacts {
	const path = files.resolve(asked);
	const stat = files.stat(path);
	return { ...stat, path, ...(stat.kind === "file" && { etag: files.digest(path) }) };
}

/** Pieces as a stream of bytes, taken one by one as the reader asks for them. */
export function streamOf(pieces: Generator<Uint8Array, void, void>): ReadableStream<Uint8Array> {
	return new ReadableStream({
		type: "bytes",
		pull(controller) {
			const next = pieces.next();
			if (next.value) return controller.enqueue(next.value);
			controller.close();
			controller.byobRequest?.respond(0);
		},
		cancel: () => void pieces.return(),
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
