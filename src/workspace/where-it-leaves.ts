import type { FileKind, FileSystem } from "./file-system";
import { FsError } from "./fs-error";

/** As many as the file system follows. */
const maxLinks = 40;

/**
 * The first place on the way of a path, link by link, that may not be passed; undefined when there is none.
 * Where a path fails, or whether it comes back by "..", would else tell which names there are on the other side of a link.
 */
export function whereItLeaves(
	files: Pick<FileSystem, "lstat" | "readLink">,
	{ asked, lastLink }: { asked: string; lastLink: "follow" | "keep" },
	mayPass: (path: string) => boolean,
): string | undefined {
	const ahead = namesOf(asked);
	let at = "";
	let links = 0;
	for (let name = ahead.pop(); name !== undefined && links <= maxLinks; name = ahead.pop()) {
		if (name === ".") continue;
		if (name === "..") {
			at = above(at);
			continue;
		}
		at = `${at}/${name}`;
		if (!mayPass(at)) return at;
		const kind = kindOf(files, at);
		if (kind === "directory") continue;
		if (kind !== "symlink" || (ahead.length === 0 && lastLink === "keep")) return undefined;
		links++;
		const target = files.readLink(at);
		at = target.startsWith("/") ? "" : above(at);
		ahead.push(...namesOf(target));
	}
	return undefined;
}

/** The next one last. */
const namesOf = (path: string) => path.split("/").filter(Boolean).reverse();

const above = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function kindOf(files: Pick<FileSystem, "lstat">, path: string): FileKind | undefined {
	try {
		return files.lstat(path).kind;
	} catch (error) {
		if (error instanceof FsError) return undefined;
		throw error;
	}
}
