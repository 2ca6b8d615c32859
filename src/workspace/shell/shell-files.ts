import type { FsStat, IFileSystem } from "just-bash/browser";
import type { FileStat, FileSystem } from "../file-system";
import { FsError } from "../fs-error";
import { copyTree, moveTree } from "./copy-tree";
import type { Devices } from "./devices";
import { charactersOf, decodeContent, encodeContent } from "./encoding";
import type { FileCall } from "./file-calls";
import { maxReadBytes } from "./limits";
import { resolveText } from "./resolve-text";

/** One chunk of the file system. */
const headBytes = 524_288;

/** `owns` tells whether a path belongs to devices, there or not; `open` makes a pipe where one may be. */
export type ShellDevices = Pick<Devices, "owns" | "at" | "open" | "remove">;

/** Our files as just-bash wants them: the same tree, asynchronous, with devices at their places. */
export function shellFiles(files: FileSystem, devices: ShellDevices, call: FileCall): IFileSystem {
	const readBytes = (path: string) => call("open", path, () => devices.at(path)?.read() ?? readWhole(files, path));
	const write = (path: string, bytes: Uint8Array, how: "write" | "append") =>
		call("open", path, () => {
			if (devices.owns(path)) devices.open(path).write(bytes);
			else if (how === "write") files.write(path, bytes);
			else files.append(path, bytes);
		});
	return {
		resolvePath: resolveText,
		getAllPaths: () => [],
		readFile: async (path, encoding) => decodeContent(await readBytes(path), encoding),
		// just-bash brands its byte strings with a type that nothing else can make.
		readFileBytes: async (path) => charactersOf(await readBytes(path)) as never,
		readFileBuffer: readBytes,
		writeFile: (path, content, encoding) => write(path, encodeContent(content, encoding), "write"),
		appendFile: (path, content, encoding) => write(path, encodeContent(content, encoding), "append"),
		async exists(path) {
			try {
				await call("stat", path, () => devices.at(path) ?? files.stat(path));
				return true;
			} catch {
				return false;
			}
		},
		stat: (path) =>
			call("stat", path, () => (devices.owns(path) ? statDevice(devices, path) : toStat(files.stat(path)))),
		lstat: (path) =>
			call("lstat", path, () => (devices.owns(path) ? statDevice(devices, path) : toStat(files.lstat(path)))),
		readdir: (path) => call("scandir", path, () => files.readDirectory(path).map(({ name }) => name)),
		readdirWithFileTypes: (path) =>
			call("scandir", path, () => files.readDirectory(path).map(({ name, kind }) => ({ name, ...kindFlags(kind) }))),
		mkdir: (path, { recursive = false } = {}) =>
			call("mkdir", path, () => files.makeDirectory(path, { parents: recursive })),
		rm: (path, { recursive = false, force = false } = {}) =>
			call("rm", path, () => (devices.owns(path) ? devices.remove(path) : remove(files, path, { recursive, force }))),
		cp: (from, to, { recursive = false } = {}) =>
			call("cp", from, () => {
				if (files.stat(from).kind === "directory" && !recursive) throw new FsError("EISDIR", from);
				copyTree(files, from, to);
			}),
		mv: (from, to) => call("mv", from, () => moveTree(files, from, to)),
		chmod: (path, mode) => call("chmod", path, () => files.chmod(path, mode & 0o7777)),
		symlink: (target, path) => call("symlink", path, () => files.symlink(target, path)),
		link: (_, path) =>
			call("link", path, () => {
				throw new FsError("EPERM", path, "this file system has no hard links");
			}),
		readlink: (path) => call("readlink", path, () => files.readLink(path)),
		realpath: (path) =>
			call("realpath", path, () => {
				files.stat(path);
				return files.resolve(path);
			}),
		utimes: (path, _, modified) => call("utimes", path, () => files.setTimes(path, { mtimeMs: modified.getTime() })),
	};
}

function readWhole(files: FileSystem, path: string): Uint8Array {
	// To ask for the size first, the path would be followed twice, and most files have no more than this.
	const head = files.read(path, { length: headBytes });
	if (head.length < headBytes) return head;
	const { size } = files.stat(path);
	if (size <= maxReadBytes) return files.read(path);
	const detail = `${size} bytes are too many to read whole in the shell (at most ${maxReadBytes}); use the tools grep or read_file`;
	throw new FsError("EFBIG", path, detail);
}

function remove(files: FileSystem, path: string, { recursive, force }: { recursive: boolean; force: boolean }): void {
	try {
		if (files.lstat(path).kind !== "directory") files.unlink(path);
		else if (recursive) files.removeTree(path);
		else files.removeDirectory(path);
	} catch (error) {
		const isMissing = error instanceof FsError && (error.code === "ENOENT" || error.code === "ENOTDIR");
		if (!force || !isMissing) throw error;
	}
}

function statDevice(devices: ShellDevices, path: string): FsStat {
	if (devices.at(path) === undefined) throw new FsError("ENOENT", path);
	return { ...kindFlags("file"), mode: 0o666, size: 0, mtime: new Date(0) };
}

const toStat = ({ kind, mode, size, mtimeMs, inode }: FileStat): FsStat => ({
	...kindFlags(kind),
	mode,
	size,
	mtime: new Date(mtimeMs),
	dev: 1,
	ino: inode,
});

const kindFlags = (kind: FileStat["kind"]) => ({
	isFile: kind === "file",
	isDirectory: kind === "directory",
	isSymbolicLink: kind === "symlink",
});
