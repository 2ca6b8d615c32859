import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { counted } from "../lib/counted";
import type { WorkspaceContext } from "./context";
import type { FileKind, FileSystem } from "./file-system";
import { resolveAsked, rulesOf } from "./guarded";
import { lookAtLink } from "./operations/look";
import type { FileReply } from "./reply";
import type { Workspace } from "./workspace";

const maxTextBytes = 1_048_576;
const maxChars = 1_000_000;
/** Lines added and removed; the time to find them grows with their square. */
const maxChangedLines = 4_000;
/** What one diff may take, in characters read and squares of changed lines: nobody has a turn meanwhile. */
const maxWork = 6 * maxChangedLines ** 2;

/** What stands at a path. */
interface Side {
	readonly kind: FileKind | "nothing";
	readonly mode: string;
	readonly words: string;
	/** To compare, where it is a text. */
	readonly lines?: string;
}

/**
 * What a job would change, as a unified diff against the workspace as it is now: at one path, or at all that it has changed.
 * What cannot stand there as lines is said in a remark, which begins with #: a patch program would take a header without lines for the next file's.
 */
export async function diffOfJob(
	workspace: Workspace,
	context: WorkspaceContext,
	{ id, path }: { id: string; path: string | undefined },
): Promise<FileReply<string>> {
	const before: WorkspaceContext = { ...context, target: { mode: "direct" } };
	const after: WorkspaceContext = { ...context, target: { mode: "job", jobId: id } };
	const rules = rulesOf(context);
	const paths = await workspace.read(after, () => {
		if (path !== undefined) return [resolveAsked(path, rules)];
		const changes = workspace.changesOfJob(workspace.jobs.get(id));
		return [...new Set(changes.map((change) => change.path))];
	});
	if (!paths.ok) return paths;
	let [text, work] = ["", 0];
	for (const [index, changed] of paths.value.entries()) {
		if (text.length > maxChars || work > maxWork) {
			return { ok: true, value: `${text}# ${paths.value.length - index} more paths differ; ask for them by path.\n` };
		}
		const old = await workspace.read(before, (files) => sideOf(files, changed));
		const now = await workspace.read(after, (files) => sideOf(files, changed));
		if (!old.ok) return old;
		if (!now.ok) return now;
		if (path !== undefined && old.value.kind === "nothing" && now.value.kind === "nothing")
			return { ok: false, ...nothingThere(changed) };
		const found = difference(changed, old.value, now.value);
		text += found.text;
		work += found.work;
	}
	return { ok: true, value: text };
}

function sideOf(files: FileSystem, path: string): Side {
	const stat = lookAtLink(files, path);
	if (!stat) return { kind: "nothing", mode: "", words: "nothing", lines: "" };
	const { kind, size } = stat;
	const side = { kind, mode: stat.mode.toString(8) };
	if (kind === "directory") return { ...side, words: "a directory" };
	if (kind === "symlink") return { ...side, words: `a link to ${files.readLink(path)}` };
	const lines = size > maxTextBytes ? undefined : textOf(files.read(path));
	if (lines === undefined) return { ...side, words: `${counted(size, "byte")}, ${files.digest(path).slice(0, 12)}` };
	return { ...side, words: size === 0 ? "an empty file" : "a text", lines };
}

function textOf(bytes: Uint8Array): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** What differs, and what it took to find. */
function difference(path: string, before: Side, after: Side): { text: string; work: number } {
	const remark = (words: string) => `# ${path}: ${words}\n`;
	const hasOtherMode = before.kind === after.kind && before.mode !== after.mode;
	const mode = hasOtherMode ? remark(`mode ${before.mode} became ${after.mode}`) : "";
	if (before.lines === undefined || after.lines === undefined || before.lines === after.lines) {
		const text = before.words === after.words ? mode : mode + remark(`${before.words} became ${after.words}`);
		return { text, work: charactersOf(before, after) };
	}
	const options = { context: 3, maxEditLength: maxChangedLines, headerOptions: FILE_HEADERS_ONLY };
	const [oldName, newName] = [headerName(before, `a${path}`), headerName(after, `b${path}`)];
	const patch = createTwoFilesPatch(oldName, newName, before.lines, after.lines, undefined, undefined, options);
	const changedLines = patch === undefined ? maxChangedLines : (patch.match(/^[+-]/gm)?.length ?? 0);
	const text = mode + (patch ?? remark(`more than ${maxChangedLines} lines differ`));
	return { text, work: charactersOf(before, after) + changedLines ** 2 };
}

const charactersOf = (...sides: readonly Side[]) => sides.reduce((sum, { lines = "" }) => sum + lines.length, 0);

/** Behind a name with a blank in it stands a tab, by which patch programs know its end. */
function headerName({ kind }: Side, name: string): string {
	if (kind === "nothing") return "/dev/null";
	return name.includes(" ") ? `${name}\t` : name;
}

const nothingThere = (path: string) => ({
	code: "not_found" as const,
	reason: "not_found",
	message: `There is no ${path}, neither in the workspace nor in the job.`,
	retryable: true,
	gate: false,
});
