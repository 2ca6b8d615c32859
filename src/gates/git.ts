/**
 * What git may be told to do. Its configuration and many of its options name programs that it then runs, so configuration counts
 * only as far as its keys are known to name none, and options that name one are refused (security.md, section 6).
 */

/** Keys of a repository's own configuration that name no program and lead to no other file. */
const safeKeys: readonly RegExp[] = [
	/^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|bigfilethreshold)$/,
	/^user\.(name|email)$/,
	/^author\.(name|email)$/,
	/^committer\.(name|email)$/,
	/^init\.defaultbranch$/,
	/^remote\..*\.(url|fetch|push|tagopt|prune|mirror)$/,
	/^branch\..*\.(remote|merge|rebase|pushremote|description)$/,
	/^(pull|push|fetch|merge|rebase|commit|status|log|diff|color|advice|gc|pack|index|branch|tag|column|format|blame|grep|rerere|checkout|stash|versionsort)\.[a-z]+$/,
	/^extensions\.(objectformat|refstorage)$/,
];

/** Of the sections that are safe as a whole, the keys that name a program or a file. */
const unsafeKeys =
	/^(diff\.(external|orderfile)|merge\.(tool|guitool)|diff\.(tool|guitool)|commit\.(template|gpgsign)|tag\.gpgsign|push\.gpgsign|format\.signaturefile|gc\.recentobjectshook|blame\.ignorerevsfile)$/;

export const isSafeGitKey = (key: string): boolean => !unsafeKeys.test(key) && safeKeys.some((safe) => safe.test(key));

/** The keys that a git configuration file sets, in lower case but for subsections; undefined for a line that is not understood. */
export function gitConfigKeys(text: string): readonly string[] | undefined {
	const keys: string[] = [];
	let section: string | undefined;
	for (const line of text.replaceAll("\\\r\n", "").replaceAll("\\\n", "").split(/\r?\n/)) {
		const header = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
		if (header)
			section = [header[1]?.toLowerCase(), header[2]?.replace(/\\(.)/g, "$1")]
				.filter((part) => part !== undefined)
				.join(".");
		const rest = header ? (header[3] ?? "") : line.trim();
		if (rest === "" || /^[#;]/.test(rest)) continue;
		const name = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=|$)/.exec(rest)?.[1];
		if (!section || !name) return undefined;
		keys.push(`${section}.${name.toLowerCase()}`);
	}
	return keys;
}

export type GitVerdict =
	| { readonly ok: true }
	| { readonly ok: false; readonly reason: string; readonly message: string };

/** Whether git may run in a repository with this configuration, or leave it behind. */
export function judgeGitConfig(text: string): GitVerdict {
	const keys = gitConfigKeys(text);
	const unsafe = keys?.find((key) => !isSafeGitKey(key));
	if (keys && unsafe === undefined) return { ok: true };
	const what = unsafe === undefined ? "has a line that is not understood" : `sets ${unsafe}`;
	return refuse(
		"foreign_git_config",
		`.git/config ${what}, which may make git run another program. Remove it; git is not run before.`,
	);
}

/** Options of any command of git that name a program to run, another repository, or a place outside. */
const unsafeOptions =
	/^(--upload-pack|--receive-pack|--exec|--exec-path|--ext-diff|--textconv|--open-files-in-pager|--config-env|--git-dir|--work-tree|--namespace|--super-prefix|--attr-source|--template|--separate-git-dir|--extcmd|--tool|--gpg-sign|--no-index)(=|$)/;

/** Commands that exist to run other programs, or to serve others. */
const unsafeCommands =
	/^(difftool|mergetool|filter-branch|submodule|daemon|shell|upload-pack|receive-pack|http-backend|instaweb|gui|gitk|citool|send-email|imap-send|p4|svn|cvs.*|archimport|quiltimport|credential.*|fsmonitor.*|maintenance|hook|web--browse|remote-.*|worktree|sparse-checkout|clone)$/;

/** Whether git may be run with these arguments. */
export function judgeGitArguments(args: readonly string[]): GitVerdict {
	const at = commandIndex(args);
	for (const [index, arg] of args.entries()) {
		const named = index > 0 && index < at ? args[index - 1] === "-c" : false;
		if (arg === "--" && index > at) break;
		if (named && !isSafeGitKey(keyOf(arg)))
			return refuse("argument_denied", `git -c ${arg} is not allowed: it may name a program.`);
		if (unsafeOptions.test(unabbreviated(arg)))
			return refuse("argument_denied", `git ${arg} is not allowed: it names a program or a place outside.`);
	}
	const command = args[at];
	if (command === undefined) return { ok: true };
	if (unsafeCommands.test(command))
		return refuse("argument_denied", `git ${command} is not available: it runs or serves other programs.`);
	const rest = args.slice(at + 1);
	const risky = riskyIn(command, rest);
	return risky === undefined
		? { ok: true }
		: refuse("argument_denied", `git ${command} ${risky} is not allowed: it runs other programs.`);
}

/** Short options and words that are harmless elsewhere. */
function riskyIn(command: string, rest: readonly string[]): string | undefined {
	const found = (pattern: RegExp) => rest.find((arg) => pattern.test(arg));
	if (command === "rebase") return found(/^(-x|-i$|--interactive|-S)/);
	if (command === "bisect") return found(/^(run|view|visualize)$/);
	if (command === "grep") return found(/^-O/);
	if (command === "config") return found(/^(--file|-f|--global|--system|--edit|-e|--blob)/);
	if (
		command === "commit" ||
		command === "tag" ||
		command === "merge" ||
		command === "cherry-pick" ||
		command === "revert"
	) {
		return found(/^-S/) ?? (command === "tag" ? found(/^-[su]/) : undefined);
	}
	if (command === "archive") return found(/^(--remote|--exec|-o|--output)/);
	if (
		command === "ls-remote" ||
		command === "fetch" ||
		command === "push" ||
		command === "pull" ||
		command === "remote"
	)
		return found(/^(ext::|-u(pload-pack)?$)/);
	return undefined;
}

/** Where the command stands after git's own options. */
function commandIndex(args: readonly string[]): number {
	let index = 0;
	while (index < args.length && args[index]?.startsWith("-")) {
		index += args[index] === "-c" || args[index] === "-C" ? 2 : 1;
	}
	return index;
}

const keyOf = (setting: string): string => {
	const [name = ""] = setting.split("=");
	const first = name.indexOf(".");
	const last = name.lastIndexOf(".");
	if (first < 0) return name.toLowerCase();
	return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase();
};

/** git takes any beginning of a long option that is only one's, so every beginning of five letters or more counts as the whole. */
function unabbreviated(arg: string): string {
	const [name = ""] = arg.split("=");
	if (!name.startsWith("--") || name.length < 6) return arg;
	const whole = longOptions.find((option) => option.startsWith(name));
	return whole ? arg.replace(name, whole) : arg;
}

const longOptions = unsafeOptions.source
	.replace(/^\^\(/, "")
	.replace(/\)\(=\|\$\)$/, "")
	.split("|");

/** Put before the arguments of every git that is run: nothing that lies in a repository is obeyed. */
export const gitSafeguards: readonly string[] = [
	"safe.bareRepository=explicit",
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.pager=cat",
	"core.editor=true",
	"core.askPass=true",
	"core.sshCommand=false",
	"core.attributesFile=/dev/null",
	"core.excludesFile=/dev/null",
	"core.untrackedCache=false",
	"credential.helper=",
	"protocol.allow=never",
	"protocol.ext.allow=never",
	"gc.auto=0",
	"maintenance.auto=false",
	"init.templateDir=",
	"gpg.program=false",
	"diff.external=",
	"uploadpack.packObjectsHook=",
	"submodule.recurse=false",
	"advice.detachedHead=false",
	"init.defaultBranch=main",
].flatMap((setting) => ["-c", setting]);

/** Put behind the safeguards where git has a network: https alone, and only by way of the proxy that judges each host. */
export const gitThroughProxy = (proxy: string): readonly string[] =>
	["protocol.https.allow=always", `http.proxy=${proxy}`].flatMap((setting) => ["-c", setting]);

function refuse(reason: string, message: string): GitVerdict {
	return { ok: false, reason, message };
}
