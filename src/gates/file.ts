import type { SettingsDocument } from "../shared/settings";
import type { Whitelist } from "../shared/whitelist";
import { isUnder, isWithin, resolvePath } from "./path";
import { isMemoryFile, whyProtected } from "./protected";

/** What files are judged by. */
export interface FileRules {
	/** Where relative paths begin; always on the FILE list (D2). */
	readonly root: string;
	/** The FILE list. */
	readonly entries: readonly string[];
	/** Whether the files of the memory are closed to everyone (X31). */
	readonly memoryAcl: boolean;
	readonly mayWriteProtected: boolean;
}

/** `place`: it becomes a directory or a link, by rename, copy or symlink. */
export type FileAccess = "read" | "write" | "make_directory" | "place" | "delete";

/** Where a path leads: `asked` is its text, `path` the same with all links resolved. Both are absolute and normal. */
export interface FilePlace {
	readonly asked: string;
	readonly path: string;
}

type FileReason = "outside_root" | "symlink_escape" | "invalid_path" | "protected_path" | "memory_acl";
export type FileVerdict = { ok: true } | { ok: false; reason: FileReason; message: string };

const scratch = "/tmp";
/** They stay where they are, whatever the FILE list holds; what it lists itself may be changed like what is below it. */
const trees = ["/workspace", scratch];
const documents = ["/skills", "/memory", "/artifacts"];

/** The rules that the configuration makes. */
export function fileRules(
	lists: { readonly whitelist: Whitelist; readonly settings: Pick<SettingsDocument, "files" | "memory"> },
	mayWriteProtected = false,
): FileRules {
	const { whitelist, settings } = lists;
	const root = resolvePath(settings.files.root);
	return {
		root: root.ok ? root.path : settings.files.root,
		entries: whitelist.FILE,
		memoryAcl: settings.memory.aclEnabled,
		mayWriteProtected,
	};
}

/** Whether a place may be used so. What is asked for and what it leads to must both be open: links join open places only. */
export function judgePlace(place: FilePlace, access: FileAccess, rules: FileRules): FileVerdict {
	const { asked } = place;
	const both = asked === place.path ? [asked] : [asked, place.path];
	if (rules.memoryAcl && both.some(isMemory)) return refuse("memory_acl", sentences.memoryAcl(asked));
	if (access === "delete" && both.some((path) => holdsAny(path, [...trees, rules.root], rules))) {
		return refuse("invalid_path", sentences.root(asked));
	}
	if (!isOpen(asked, access, rules)) {
		if (isDocument(asked)) return refuse("outside_root", sentences.readOnly(asked));
		return refuse("outside_root", sentences.outside(asked));
	}
	if (!isOpen(place.path, access, rules)) return refuse("symlink_escape", sentences.escape(asked));
	if (rules.mayWriteProtected || access === "read" || access === "make_directory") return { ok: true };
	const why = both.map(whyProtected).find((found) => found !== undefined);
	return why === undefined ? { ok: true } : refuse("protected_path", sentences.protected(asked, why));
}

const refuse = (reason: FileReason, message: string): FileVerdict => ({ ok: false, reason, message });

const isMemory = (path: string) => isWithin(path, "/memory") || isMemoryFile(path);

const rootsOf = ({ root, entries }: FileRules) => [root, scratch, ...entries];

function isOpen(path: string, access: FileAccess, rules: FileRules): boolean {
	// The names in "/" are the same everywhere, and without them nobody finds the documents.
	if (path === "/" && access === "read") return true;
	if (isDocument(path)) return access === "read";
	if (isUnder(path, rootsOf(rules), rules.root)) return true;
	// Without the directories on the way to it, what is listed could not be made.
	return access === "make_directory" && holdsAny(path, rules.entries, rules);
}

const isDocument = (path: string) => documents.some((root) => isWithin(path, root));

/** Whether a link may lead to or through a place: an open one, or one above a root. */
export const mayPass = (path: string, rules: FileRules): boolean =>
	isOpen(path, "read", rules) || holdsAny(path, rootsOf(rules), rules);

/** Whether the path is one of the roots or lies above one. */
function holdsAny(path: string, roots: readonly string[], rules: FileRules): boolean {
	return roots.some((root) => {
		const resolved = resolvePath(root, rules.root);
		return resolved.ok && isWithin(resolved.path, path);
	});
}

const sentences = {
	outside: (path: string) =>
		`${path} is not on the FILE list. To allow it: POST /api/v1/sandbox/whitelist/FILE ${JSON.stringify({ value: path })}.`,
	readOnly: (path: string) =>
		`${path} is read-only, whatever the FILE list holds: ${documents.join(", ")} show what is kept elsewhere.`,
	escape: (path: string) => `${path} leads through a symbolic link to a place that is not on the FILE list.`,
	root: (path: string) =>
		`${path} is a root of the workspace or holds one, and stays where it is. Name what is in it instead.`,
	protected: (path: string, why: string) =>
		`${path} is protected: ${why}, so it is neither written, moved nor deleted by a tool, whatever the FILE list holds.`,
	memoryAcl: (path: string) =>
		`${path} belongs to the memory, which is closed to files and commands (settings, memory.aclEnabled).`,
};
