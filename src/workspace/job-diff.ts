import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { WorkspaceContext } from "./context";
import type { FileSystem } from "./file-system";
import { resolveAsked, rulesOf } from "./guarded";
import { lookAtLink } from "./operations/look";
import type { FileReply } from "./reply";
import type { Workspace } from "./workspace";

const maxTextBytes = 1_048_576;
const maxChars = 1_000_000;
/** Lines added and removed; the time to find them grows with their square. */
const maxChangedLines = 4_000;

/** What stands at a path. */
interface Side {
	readonly exists: boolean;
	readonly words: string;
	/** To compare, where it is a text. */
	readonly lines?: string;
}

/**
 * What a job would change, as a unified diff against the workspace as it is now: at one path, or at all that it has changed.
 * What is no text, or too long, is named only.
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
	let text = "";
	for (const [index, changed] of paths.value.entries()) {
		if (text.length > maxChars) {
			return { ok: true, value: `${text}# ${paths.value.length - index} more paths differ; ask for them by path.\n` };
		}
		const old = await workspace.read(before, (files) => sideOf(files, changed));
		const now = await workspace.read(after, (files) => sideOf(files, changed));
		if (!old.ok) return old;
		if (!now.ok) return now;
		if (path !== undefined && !old.value.exists && !now.value.exists) return { ok: false, ...nothingThere(changed) };
		text += difference(changed, old.value, now.value);
	}
	return { ok: true, value: text };
}

function sideOf(files: FileSystem, path: string): Side {
	const stat = lookAtLink(files, path);
	if (!stat) return { exists: false, words: "nothing", lines: "" };
	const named = (words: string) => ({ exists: true, words });
	if (stat.kind === "directory") return named("a directory");
	if (stat.kind === "symlink") return named(`a link to ${files.readLink(path)}`);
	const lines = stat.size > maxTextBytes ? undefined : textOf(files.read(path));
	if (lines !== undefined) return { exists: true, words: "a text", lines };
	return named(`${stat.size} bytes, ${files.digest(path).slice(0, 12)}`);
}

function textOf(bytes: Uint8Array): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function difference(path: string, before: Side, after: Side): string {
	const [oldName, newName] = [before.exists ? `a${path}` : "/dev/null", after.exists ? `b${path}` : "/dev/null"];
	const inWords = (words: string) => `--- ${oldName}\n+++ ${newName}\n# ${words}\n`;
	if (before.lines === undefined || after.lines === undefined) {
		return before.words === after.words ? "" : inWords(`${before.words} became ${after.words}`);
	}
	if (before.exists === after.exists && before.lines === after.lines) return "";
	const options = { context: 3, maxEditLength: maxChangedLines, headerOptions: FILE_HEADERS_ONLY };
	const patch = createTwoFilesPatch(oldName, newName, before.lines, after.lines, undefined, undefined, options);
	return patch ?? inWords(`more than ${maxChangedLines} lines differ`);
}

const nothingThere = (path: string) => ({
	code: "not_found" as const,
	reason: "not_found",
	message: `There is no ${path}, neither in the workspace nor in the job.`,
	retryable: true,
	gate: false,
});
