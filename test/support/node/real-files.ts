import fs from "node:fs";
import {
	belowBase,
	copyOfDirectory,
	type FileOperation,
	fill,
	type Outcome,
	type Seen,
	summary,
} from "../file-operations";

/** Runs an operation with Node's own file system, below a base directory of the disk. */
export function runOnRealFiles(base: string, operation: FileOperation): Outcome {
	try {
		return { value: answerOf(base, operation) ?? null };
	} catch (error) {
		if (error === copyOfDirectory) return copyOfDirectory;
		if (error instanceof Error && "code" in error) return { code: String(error.code) };
		throw error;
	}
}

function answerOf(base: string, operation: FileOperation): unknown {
	const path = base + operation.path;
	switch (operation.op) {
		case "write":
		case "place": {
			const { mode, exclusive } = operation;
			return fs.writeFileSync(path, fill(operation.bytes), { mode, flag: exclusive ? "wx" : "w" });
		}
		case "append":
			fs.appendFileSync(path, fill(operation.bytes), { mode: 0o644 });
			return fs.statSync(path).size;
		case "writeAt":
			return writeAt(path, operation.offset, fill(operation.bytes));
		case "truncate":
			return fs.truncateSync(path, operation.size);
		case "read":
		case "readPieces": {
			const { offset, length } = operation.range;
			return summary(fs.readFileSync(path).subarray(offset, offset + length));
		}
		case "makeDirectory":
			fs.mkdirSync(path, { recursive: operation.parents, mode: operation.mode });
			return null;
		case "chmod":
			return fs.chmodSync(path, operation.mode);
		case "setTimes":
			fs.utimesSync(path, operation.mtimeMs / 1000, operation.mtimeMs / 1000);
			return Math.round(fs.statSync(path).mtimeMs);
		case "rename":
			return fs.renameSync(path, base + operation.to);
		case "copyFile":
			if (fs.statSync(path).isDirectory()) throw copyOfDirectory;
			return fs.copyFileSync(path, base + operation.to);
		case "symlink":
			return fs.symlinkSync(operation.target.startsWith("/") ? base + operation.target : operation.target, path);
		case "stat":
		case "lstat": {
			const stat = operation.op === "stat" ? fs.statSync(path) : fs.lstatSync(path);
			return { kind: kindOf(stat), mode: stat.mode & 0o777, size: stat.isFile() ? stat.size : 0 };
		}
		case "resolve":
			return belowBase(fs.realpathSync.native(path), base);
		case "readDirectory":
			return entriesOf(path).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
		case "readLink":
			return fs.readlinkSync(path).replace(base, "");
		case "walk":
			return walk(path).map((found) => [found.path.slice(base.length), kindOf(found.entry)]);
		case "removeDirectory":
			return fs.rmdirSync(path);
		case "unlink":
			return fs.unlinkSync(path);
		case "removeTree":
			return removeTree(path);
	}
}

function writeAt(path: string, offset: number, bytes: Uint8Array): void {
	const file = fs.openSync(path, "r+");
	try {
		fs.writeSync(file, bytes, 0, bytes.length, offset);
	} finally {
		fs.closeSync(file);
	}
}

/** Node's may remove a symlink that its own path leads through, and then not find the rest. */
function removeTree(path: string): void {
	const end = path.lastIndexOf("/");
	fs.rmSync(fs.realpathSync.native(path.slice(0, end)) + path.slice(end), { recursive: true });
}

const kindOf = (entry: Pick<fs.Dirent, "isDirectory" | "isSymbolicLink">) => {
	if (entry.isDirectory()) return "directory";
	return entry.isSymbolicLink() ? "symlink" : "file";
};

/** In byte order of the names. */
const entriesOf = (path: string): fs.Dirent[] =>
	fs
		.readdirSync(path, { withFileTypes: true })
		.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));

function walk(path: string): { path: string; entry: fs.Dirent }[] {
	return entriesOf(path).flatMap((entry) => {
		const below = `${path}/${entry.name}`;
		return [{ path: below, entry }, ...(entry.isDirectory() ? walk(below) : [])];
	});
}

/** Everything below a base directory of the disk. */
export function realTreeOf(base: string): Seen[] {
	return walk(base).map(({ path, entry }) => {
		const kind = kindOf(entry);
		const seen: Seen = { path: path.slice(base.length), kind, mode: fs.lstatSync(path).mode & 0o777 };
		if (kind === "file") return { ...seen, ...summary(fs.readFileSync(path)) };
		return kind === "symlink" ? { ...seen, target: fs.readlinkSync(path).replace(base, "") } : seen;
	});
}
