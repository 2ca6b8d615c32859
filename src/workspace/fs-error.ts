/** POSIX's words for what can go wrong with a path, as far as they can happen here, and what each says to a reader. */
const sentences = {
	ENOENT: "no such file or directory",
	EEXIST: "file exists",
	ENOTDIR: "not a directory",
	EISDIR: "is a directory",
	ENOTEMPTY: "directory not empty",
	ELOOP: "too many levels of symbolic links",
	ENAMETOOLONG: "file name too long",
	EINVAL: "invalid argument",
	EPERM: "operation not permitted",
	EROFS: "read-only file system",
	EFBIG: "file too large",
	EDQUOT: "workspace quota exceeded",
	EXDEV: "cross-device link",
} as const;
export type FsErrorCode = keyof typeof sentences;

/** A failed operation of the file system; its message begins with the code, as Node's do. `detail` says more than the code does. */
export class FsError extends Error {
	override readonly name = "FsError";
	readonly code: FsErrorCode;
	readonly path: string;
	readonly detail: string | undefined;

	constructor(code: FsErrorCode, path: string, detail?: string) {
		super(`${code}: ${detail ?? sentences[code]}, '${path}'`);
		this.code = code;
		this.path = path;
		this.detail = detail;
	}
}
