import { isWithin } from "../../gates/path";
import { byteStream } from "../../lib/byte-stream";
import type { WorkspaceContext } from "../context";
import { FileRefused, resolveAsked, rulesOf } from "../guarded";
import type { FileReply } from "../reply";
import type { Workspace } from "../workspace";
import { filesToPack, packTar } from "./pack-tar";

/** What `/` shows of things that are kept elsewhere and are no files. */
const elsewhere = ["/skills", "/memory", "/artifacts"];

/** A tar of a directory or a file, made as it is read. */
export function exportArchive(
	workspace: Workspace,
	context: WorkspaceContext,
	asked: string,
): Promise<FileReply<ReadableStream<Uint8Array>>> {
	const rules = rulesOf(context);
	return workspace.read(context, (files) => {
		const path = files.resolve(resolveAsked(asked, rules));
		if (path === "/" || elsewhere.some((root) => isWithin(path, root))) {
			const message = `${path} cannot be packed: an archive is made of a directory of the workspace, or of a file in it.`;
			throw new FileRefused({ reason: "invalid_path", message });
		}
		return byteStream(packTar(files, filesToPack(files, path)));
	});
}
