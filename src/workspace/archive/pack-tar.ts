import { createTarPacker, type TarHeader, type TarPackController } from "modern-tar";
import type { FileSystem, WalkedFile } from "../file-system";
import { nameBelow } from "../paths";

/** A file or a directory in an archive, by the name it has there. */
export interface PackedFile extends WalkedFile {
	readonly name: string;
}

/** What an archive of a path holds: a directory's contents without itself, or the one file. Throws as FileSystem does. */
export function filesToPack(files: FileSystem, path: string): PackedFile[] {
	const stat = files.stat(path);
	if (stat.kind !== "directory") return [{ path, stat, name: path.slice(path.lastIndexOf("/") + 1) }];
	return Array.from(files.walk(path), (found) => ({ ...found, name: nameBelow(path, found.path) }));
}

/**
 * A tar of files as each is when its turn comes, piece by piece. It breaks off where one is gone by then, since nobody could tell
 * a tar that lacks it from a whole one.
 */
export async function* packTar(
	files: FileSystem,
	packed: readonly PackedFile[],
): AsyncGenerator<Uint8Array, void, void> {
	const { readable, controller } = createTarPacker();
	// Breaks off when nobody reads on; what goes wrong otherwise breaks the stream.
	const filled = fill(files, packed, controller).catch((error: unknown) => controller.error(error));
	yield* readable;
	await filled;
}

async function fill(files: FileSystem, packed: readonly PackedFile[], controller: TarPackController): Promise<void> {
	for (const file of packed) {
		const { header, pieces } = open(files, file);
		const writer = controller.add(header).getWriter();
		// A copy, since the packer keeps a piece for longer than it lasts.
		for (const bytes of pieces) await writer.write(bytes.slice());
		await writer.close();
	}
	controller.finalize();
}

function open(files: FileSystem, { path, name }: PackedFile): { header: TarHeader; pieces: Iterable<Uint8Array> } {
	const { kind, mode, size, mtimeMs } = files.lstat(path);
	// Seconds, and none before 1970.
	const common = { mode, size: 0, mtime: new Date(Math.max(0, mtimeMs)) };
	if (kind === "directory") return { header: { ...common, name: `${name}/`, type: "directory" }, pieces: [] };
	if (kind === "symlink") {
		return { header: { ...common, name, type: "symlink", linkname: files.readLink(path) }, pieces: [] };
	}
	return { header: { ...common, name, type: "file", size }, pieces: begun(files.readPieces(path)) };
}

/** A reader that has begun sees no change, so that the size stays the one that was said. */
function* chained(first: Uint8Array, rest: Generator<Uint8Array, void, void>): Generator<Uint8Array, void, void> {
	yield first;
	yield* rest;
}

function begun(pieces: Generator<Uint8Array, void, void>): Iterable<Uint8Array> {
	const first = pieces.next();
	return first.done ? [] : chained(first.value, pieces);
}
