import {
	type GitVerdict,
	gitConfigKeys,
	gitSafeguards,
	gitThroughProxy,
	judgeGitArguments,
	judgeGitConfig,
} from "../../gates/git";
import { whyProtected } from "../../gates/protected";
import type { MirrorChanges, MirrorEntry } from "../../shared/runner-mirrors";
import { proxyAddress } from "../../shared/runner-network";
import type { FileSystem } from "../file-system";
import { mirroredRoot } from "../mirror/mirror-entries";
import { childOf } from "../paths";
import { Refused } from "../refused";

/** What git keeps of its own under names that are closed to every other program; each is judged by what is in it. */
const ownFiles = /(^|\/)\.git\/(config$|rebase-merge(\/|$)|sequencer(\/|$))/;

/** Who commits where the repository does not say. */
const identity = { "user.name": "oryx-edge agent", "user.email": "agent@oryx-edge.invalid" };

/** What decides which configuration git obeys, wherever in the tree it is. */
const configuration = /(^|\/)\.git\/(.*\/)?config(\.worktree)?$/;
const detour = /(^|\/)\.git(\/commondir)?$/;

/**
 * The arguments that git is run with: those given, behind what keeps it from obeying anything that lies in a repository. Throws
 * Refused for arguments or a repository that could make it run another program.
 */
export function gitArguments(
	args: readonly string[],
	{ entries, files, hasNetwork }: { entries: readonly MirrorEntry[]; files: FileSystem; hasNetwork: boolean },
): string[] {
	require(judgeGitArguments(args));
	const texts = entries.flatMap((entry) => {
		if (detour.test(entry.path) && entry.kind !== "directory") require(detoured(entry.path));
		return configuration.test(entry.path) ? [configurationAt(files, entry)] : [];
	});
	for (const text of texts) require(judgeGitConfig(text));
	const names = Object.entries(identity).filter(([key]) => !texts.some((text) => gitConfigKeys(text)?.includes(key)));
	const network = hasNetwork ? gitThroughProxy(proxyAddress) : [];
	return [...gitSafeguards, ...network, ...names.flatMap(([key, value]) => ["-c", `${key}=${value}`]), ...args];
}

/** Throws Refused when git has left something behind that it, or another program, would obey later. */
export function judgeGitChanges({ removed, changed }: MirrorChanges): void {
	const paths = [...removed, ...changed.flatMap(({ kind, path }) => (kind === "directory" ? [] : [path]))];
	for (const path of paths) {
		const why = ownFiles.test(path) ? undefined : whyProtected(path);
		if (why === undefined) continue;
		const message = `git changed ${path}, which is protected: ${why}. Nothing was changed.`;
		throw new Refused({ code: "not_listed", reason: "protected_path", message, retryable: false, gate: true });
	}
}

/** Throws Refused when a configuration that git has written is none that it may be run with again. */
export function judgeGitFiles({ changed }: MirrorChanges, files: FileSystem): void {
	for (const entry of changed) {
		if (configuration.test(entry.path)) require(judgeGitConfig(configurationAt(files, entry)));
	}
}

function configurationAt(files: FileSystem, { kind, path }: MirrorEntry): string {
	if (kind !== "file") require(detoured(path));
	return new TextDecoder().decode(files.read(childOf(mirroredRoot, path)));
}

const detoured = (path: string): GitVerdict => ({
	ok: false,
	reason: "foreign_git_config",
	message: `${path} leads git to a repository elsewhere. Remove it; git is not run before.`,
});

function require(verdict: GitVerdict): void {
	if (verdict.ok) return;
	const { reason, message } = verdict;
	const code = reason === "argument_denied" ? "argument_denied" : "not_listed";
	throw new Refused({ code, reason, message, retryable: false, gate: true });
}
