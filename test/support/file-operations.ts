import type { FileKind, FileSystem } from "../../src/workspace/file-system";
import { FsError } from "../../src/workspace/fs-error";

/** Bytes told by a seed, so that operations travel as JSON; seed 0 is zeros. */
export interface Filling {
	readonly seed: number;
	readonly length: number;
}
export interface Range {
	readonly offset: number;
	readonly length: number;
}

/** One call of a file system. Paths are absolute, `/a` for the `a` below the base. */
export type FileOperation =
	| {
			readonly op: "write" | "place";
			readonly path: string;
			readonly bytes: Filling;
			readonly mode: number;
			readonly exclusive: boolean;
	  }
	| { readonly op: "append"; readonly path: string; readonly bytes: Filling }
	| { readonly op: "writeAt"; readonly path: string; readonly offset: number; readonly bytes: Filling }
	| { readonly op: "truncate"; readonly path: string; readonly size: number }
	| { readonly op: "read" | "readPieces"; readonly path: string; readonly range: Range }
	| { readonly op: "makeDirectory"; readonly path: string; readonly parents: boolean; readonly mode: number }
	| { readonly op: "chmod"; readonly path: string; readonly mode: number }
	| { readonly op: "setTimes"; readonly path: string; readonly mtimeMs: number }
	| { readonly op: "rename" | "copyFile"; readonly path: string; readonly to: string }
	/** An absolute target begins with `/` and means the base. */
	| { readonly op: "symlink"; readonly path: string; readonly target: string }
	| {
			readonly op:
				| "stat"
				| "lstat"
				| "resolve"
				| "readDirectory"
				| "readLink"
				| "walk"
				| "removeDirectory"
				| "unlink"
				| "removeTree";
			readonly path: string;
	  };

/** What an operation answered, as JSON; an error is its code. */
export type Outcome = { readonly value: unknown } | { readonly code: string };

/** One node of a tree as it is compared. */
export interface Seen {
	readonly path: string;
	readonly kind: FileKind;
	readonly mode: number;
	readonly target?: string;
	readonly size?: number;
	readonly sum?: number;
}

export function fill({ seed, length }: Filling): Uint8Array {
	const bytes = new Uint8Array(length);
	for (let index = 0; index < length && seed !== 0; index++) bytes[index] = (seed * 31 + index * (seed % 7)) & 0xff;
	return bytes;
}

/** Told apart well enough for a comparison. */
export function checksum(bytes: Uint8Array): number {
	let sum = 2_166_136_261;
	for (const byte of bytes) sum = Math.imul(sum ^ byte, 16_777_619);
	return sum >>> 0;
}

/** Two bases lie in different folders, so what is above one is not compared. */
export const belowBase = (path: string, base: string): string =>
	path === base || path.startsWith(`${base}/`) ? path.slice(base.length) : "above the base";

export const summary = (bytes: Uint8Array) => ({ size: bytes.length, sum: checksum(bytes) });

/** Copying a directory with Node's copyFile may delete the target, so that only the refusal is compared. */
export const copyOfDirectory: Outcome = { code: "a directory is not copied" };

/** Runs an operation on our file system, below a base directory of it. */
export function runOperation(files: FileSystem, base: string, operation: FileOperation): Outcome {
	try {
		return { value: answerOf(files, base, operation) ?? null };
	} catch (error) {
		if (error instanceof CopyOfDirectory) return copyOfDirectory;
		if (error instanceof FsError) return { code: error.code };
		throw error;
	}
}

class CopyOfDirectory extends Error {}

function answerOf(files: FileSystem, base: string, operation: FileOperation): unknown {
	const path = base + operation.path;
	switch (operation.op) {
		case "write":
			return files.write(path, fill(operation.bytes), operation);
		case "place":
			return placeInPieces(files, path, fill(operation.bytes), operation);
		case "append":
			return files.append(path, fill(operation.bytes));
		case "writeAt":
			return files.writeAt(path, operation.offset, fill(operation.bytes));
		case "truncate":
			return files.truncate(path, operation.size);
		case "read":
			return summary(files.read(path, operation.range));
		case "readPieces":
			return summary(joined(Array.from(files.readPieces(path, operation.range), (piece) => piece.slice())));
		case "makeDirectory":
			return files.makeDirectory(path, operation);
		case "chmod":
			return files.chmod(path, operation.mode);
		case "setTimes":
			files.setTimes(path, operation);
			return files.stat(path).mtimeMs;
		case "rename":
			return files.rename(path, base + operation.to);
		case "copyFile":
			return copyFile(files, path, base + operation.to);
		case "symlink":
			return files.symlink(operation.target.startsWith("/") ? base + operation.target : operation.target, path);
		case "stat":
		case "lstat": {
			const { kind, mode, size } = files[operation.op](path);
			return { kind, mode, size: kind === "file" ? size : 0 };
		}
		case "resolve":
			files.stat(path);
			return belowBase(files.resolve(path), base);
		case "readDirectory":
			return files.readDirectory(path);
		case "readLink":
			return files.readLink(path).replace(base, "");
		case "walk":
			return [...files.walk(path)].map((found) => [found.path.slice(base.length), found.stat.kind]);
		default:
			return files[operation.op](path);
	}
}

function copyFile(files: FileSystem, from: string, to: string): void {
	const isDirectory = files.stat(from).kind === "directory";
	try {
		files.copyFile(from, to);
	} catch (error) {
		throw isDirectory && error instanceof FsError ? new CopyOfDirectory() : error;
	}
}

function placeInPieces(
	files: FileSystem,
	path: string,
	bytes: Uint8Array,
	options: { mode: number; exclusive: boolean },
) {
	const content = files.beginContent();
	const pieceBytes = 1 + Math.floor(bytes.length / 3);
	for (let at = 0; at < bytes.length; at += pieceBytes) content.write(bytes.subarray(at, at + pieceBytes));
	try {
		files.place(path, content, options);
	} finally {
		content.discard();
	}
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
	const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return bytes;
}

/** Everything below a base directory of our file system. */
export function treeOf(files: FileSystem, base: string): Seen[] {
	return [...files.walk(base)].map(({ path, stat: { kind, mode } }) => {
		const seen = { path: path.slice(base.length), kind, mode };
		if (kind === "file") return { ...seen, ...summary(files.read(path)) };
		return kind === "symlink" ? { ...seen, target: files.readLink(path).replace(base, "") } : seen;
	});
}
