import { utf8Length } from "../lib/text";
import { FsError } from "./fs-error";

const maxNameBytes = 255;
const maxPathBytes = 4_095;
const encoder = new TextEncoder();

/** Half of a surrogate pair has no UTF-8, and NUL ends a path for every program. */
const isSpeakable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** The components of an absolute path that is normal in text. Throws EINVAL and ENAMETOOLONG. */
export function componentsOf(path: string): string[] {
	if (!path.startsWith("/") || !isSpeakable(path)) throw new FsError("EINVAL", path);
	if (isTooLong(path, maxPathBytes)) throw new FsError("ENAMETOOLONG", path);
	const components = path.split("/").slice(1);
	if (path === "/") return [];
	if (components.some((name) => name === "" || name === "." || name === "..")) throw new FsError("EINVAL", path);
	return components;
}

export function checkName(name: string, path: string): void {
	if (isTooLong(name, maxNameBytes)) throw new FsError("ENAMETOOLONG", path);
}

/** What a symlink may hold; `.`, `..` and doubled slashes are all right there. */
export function checkTarget(target: string, path: string): void {
	if (target === "") throw new FsError("ENOENT", path);
	if (!isSpeakable(target)) throw new FsError("EINVAL", path);
	if (isTooLong(target, maxPathBytes)) throw new FsError("ENAMETOOLONG", path);
}

// UTF-8 takes up to three bytes for each unit of a string, so most texts need no count.
const isTooLong = (text: string, maxBytes: number): boolean =>
	text.length * 3 > maxBytes && utf8Length(text) > maxBytes;

/** Orders texts by their UTF-8 bytes, which is the order of their code points, as SQLite does. */
export function compareBytes(a: string, b: string): number {
	const left = encoder.encode(a);
	const right = encoder.encode(b);
	const differs = left.findIndex((byte, index) => byte !== right[index]);
	return differs < 0 ? left.length - right.length : (left[differs] ?? 0) - (right[differs] ?? -1);
}
