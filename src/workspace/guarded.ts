import { type FileAccess, type FileRules, fileRules, judgePlace, mayPass } from "../gates/file";
import { resolvePath } from "../gates/path";
import type { WorkspaceContext } from "./context";
import type { FileSystem, WalkedFile } from "./file-system";
import type { LayerChange } from "./layer-changes";
import { childOf, nameBelow } from "./paths";

/** A list or a rule said no; nothing has happened. */
export class FileRefused extends Error {
	override readonly name = "FileRefused";
	readonly reason: string;

	constructor({ reason, message }: { reason: string; message: string }) {
		super(message);
		this.reason = reason;
	}
}

/** The rules for one use of a workspace. */
export const rulesOf = (context: WorkspaceContext): FileRules => fileRules(context, context.mayWriteProtected);

/** The absolute path that a text means. Throws FileRefused. */
export function resolveAsked(raw: string, { root }: Pick<FileRules, "root">): string {
	const resolved = resolvePath(raw, root);
	if (!resolved.ok) throw new FileRefused(resolved);
	return resolved.path;
}

/**
 * A file system behind the path gate: each method resolves the links, asks the gate, and acts on the path that was judged.
 * No await lies between, so nobody can put a link there in the meantime. Throws FileRefused where the gate says no.
 */
export function guarded(files: FileSystem, rules: FileRules): FileSystem {
	/** The place to act on. What lies outside is not looked at, neither by its name nor by a link, so that nothing is learnt of it. */
	const allowed = (asked: string, access: FileAccess, lastLink: "follow" | "keep" = "follow"): string => {
		judge({ asked, path: asked }, access, rules);
		const reach = (path: string) => {
			if (!mayPass(path, rules)) judge({ asked, path }, access, rules);
		};
		const path = files.resolve(asked, { lastLink, reach });
		if (path !== asked) judge({ asked, path }, access, rules);
		return path;
	};
	const isShown = (path: string) => judgePlace({ asked: path, path }, "read", rules).ok;

	/** Refuses to move or delete a directory with a file of the memory in it. */
	const keepMemory = (path: string) => {
		if (!rules.memoryAcl || files.lstat(path).kind !== "directory") return;
		for (const below of files.walk(path)) judge({ asked: below.path, path: below.path }, "read", rules);
	};

	return {
		stat: (path) => files.stat(allowed(path, "read")),
		lstat: (path) => files.lstat(allowed(path, "read", "keep")),
		resolve: (path, options) => allowed(path, "read", options?.lastLink),
		readDirectory(asked) {
			const path = allowed(asked, "read");
			return files.readDirectory(path).filter(({ name }) => isShown(childOf(path, name)));
		},
		readLink: (path) => files.readLink(allowed(path, "read", "keep")),
		read: (path, range) => files.read(allowed(path, "read"), range),
		readPieces: (path, range) => files.readPieces(allowed(path, "read"), range),
		digest: (path) => files.digest(allowed(path, "read")),
		write: (path, bytes, options) => files.write(allowed(path, "write", lastOf(options)), bytes, options),
		append: (path, bytes) => files.append(allowed(path, "write"), bytes),
		writeAt: (path, offset, bytes) => files.writeAt(allowed(path, "write"), offset, bytes),
		truncate: (path, size) => files.truncate(allowed(path, "write"), size),
		beginContent: () => files.beginContent(),
		place: (path, content, options) => files.place(allowed(path, "write", lastOf(options)), content, options),
		makeDirectory(path, options) {
			// With `parents` a link to a directory is as good as one, so it is judged too where it leads.
			if (options?.parents) allowed(path, "make_directory");
			files.makeDirectory(allowed(path, "make_directory", "keep"), options);
		},
		removeDirectory: (path) => files.removeDirectory(allowed(path, "delete", "keep")),
		unlink: (path) => files.unlink(allowed(path, "delete", "keep")),
		removeTree(asked) {
			const path = allowed(asked, "delete", "keep");
			keepMemory(path);
			files.removeTree(path);
		},
		rename(from, to) {
			const source = allowed(from, "delete", "keep");
			const target = allowed(to, files.lstat(source).kind === "file" ? "write" : "place", "keep");
			keepMemory(source);
			files.rename(source, target);
		},
		copyFile: (from, to) => files.copyFile(allowed(from, "read"), allowed(to, "write")),
		// Its target is free: whoever follows it is judged by where he arrives.
		symlink: (target, path) => files.symlink(target, allowed(path, "place", "keep")),
		chmod: (path, mode) => files.chmod(allowed(path, "write"), mode),
		setTimes: (path, times) => files.setTimes(allowed(path, "write"), times),
		walk(asked, enter, after) {
			const walk = (path: string, entered: (path: string) => boolean) => files.walk(path, entered, after);
			return walkShown(walk, { asked, path: allowed(asked, "read") }, isShown, enter);
		},
		walkContent: (asked, enter) =>
			walkShown(files.walkContent, { asked, path: allowed(asked, "read") }, isShown, enter),
		walkChunks: (asked, enter) => walkShown(files.walkChunks, { asked, path: allowed(asked, "read") }, isShown, enter),
		atomically: (run) => files.atomically(run),
	};
}

function judge(place: { asked: string; path: string }, access: FileAccess, rules: FileRules): void {
	const verdict = judgePlace(place, access, rules);
	if (!verdict.ok) throw new FileRefused(verdict);
}

/**
 * Judges changes that were made by the lists of another time. Control files were judged when they were written, by the right of
 * who wrote them. Throws FileRefused.
 */
export function judgeChanges(changes: readonly LayerChange[], rules: FileRules): void {
	for (const { path, change, kind } of changes) {
		const made = kind === "directory" ? "make_directory" : "write";
		judge({ asked: path, path }, change === "removed" ? "delete" : made, { ...rules, mayWriteProtected: true });
	}
}

/** What must not exist yet is not looked for behind a link, as in open(2) with O_EXCL. */
const lastOf = (options: { exclusive?: boolean } | undefined) => (options?.exclusive ? "keep" : "follow");

/** Answers and is asked in paths that begin as the caller's do, though it walks where they lead. */
function* walkShown<Found extends WalkedFile>(
	walk: (path: string, enter: (path: string) => boolean) => Iterable<Found>,
	{ asked, path }: { asked: string; path: string },
	isShown: (path: string) => boolean,
	enter: (path: string) => boolean = () => true,
): Generator<Found, void, void> {
	const shownAs = (found: string) => (found === path ? asked : childOf(asked, nameBelow(path, found)));
	const entered = (found: string) => isShown(found) && enter(shownAs(found));
	for (const found of walk(path, entered)) {
		if (isShown(found.path)) yield { ...found, path: shownAs(found.path) };
	}
}
