import type { FileRules } from "../../gates/file";
import { isUnder } from "../../gates/path";
import type { FileSystem } from "../file-system";
import { FsError } from "../fs-error";

/** Throws when a path is the workspace root or holds it: the root itself is never moved or deleted. */
export function spareRoot(files: Pick<FileSystem, "resolve">, path: string, { root }: Pick<FileRules, "root">): void {
	if (!isUnder(root, [files.resolve(path, { lastLink: "keep" })])) return;
	throw new FsError("EPERM", path, "the workspace root itself stays");
}
