/** Files that a program obeys when it next runs (security.md T5): whoever writes one writes commands. `**` is the place itself and all below it, `*` any beginning or end of a name. */
const controlFiles: readonly { readonly why: string; readonly paths: readonly string[] }[] = [
	{
		why: "git runs what it names, or is led elsewhere by it",
		paths: [
			".git/config",
			".git/config.worktree",
			".git/hooks/**",
			".git/info/attributes",
			".git/objects/info/alternates",
			".git/objects/info/http-alternates",
			".git/modules/**",
			".git/worktrees/**",
			".git/commondir",
			".git/gitdir",
			".git/rebase-merge/**",
			".git/sequencer/**",
			".gitmodules",
			".gitconfig",
		],
	},
	{
		why: "agents start the programs that it names",
		paths: [
			".mcp.json",
			"mcp.json",
			"mcp_servers.yaml",
			"mcp_servers.yml",
			".claude/**",
			".claude.json",
			".cursor/**",
			".codex/**",
			".gemini/**",
			".windsurf/**",
			".continue/**",
			".cline/**",
			".roo/**",
			".kiro/**",
			".opencode/**",
			"opencode.json",
			".aider.conf.yml",
		],
	},
	{
		why: "editors and their containers run what it names",
		paths: [
			".vscode/settings.json",
			".vscode/tasks.json",
			".vscode/launch.json",
			"*.code-workspace",
			".idea/**",
			".zed/**",
			".devcontainer/**",
			".devcontainer.json",
			".husky/**",
			".vimrc",
			".gvimrc",
			".nvimrc",
			".exrc",
			".emacs",
			".dir-locals.el",
			".nanorc",
		],
	},
	{
		why: "programs take their keys, their environment or whom they trust from it",
		paths: [".env", ".env.*", ".netrc", "_netrc", ".git-credentials", ".ssh/**", ".gnupg/**", ".aws/**", ".kube/**"],
	},
	{
		why: "package managers take their sources and scripts from it",
		paths: [
			".npmrc",
			".yarnrc",
			".yarnrc.yml",
			".pnpmfile.cjs",
			"bunfig.toml",
			".pypirc",
			"pip.conf",
			".condarc",
			".gemrc",
			".bundle/config",
			".cargo/config",
			".cargo/config.toml",
		],
	},
	{
		why: "shells and tools run it when they start",
		paths: [
			".envrc",
			".profile",
			".bashrc",
			".bash_profile",
			".bash_login",
			".bash_logout",
			".bash_aliases",
			".zshrc",
			".zshenv",
			".zprofile",
			".zlogin",
			".zlogout",
			".kshrc",
			".cshrc",
			".tcshrc",
			".login",
			".logout",
			"config.fish",
			".inputrc",
			".screenrc",
			".tmux.conf",
			".curlrc",
			".wgetrc",
			".gdbinit",
			".lldbinit",
			".pdbrc",
		],
	},
];

/** Ends of names that are there to be copied; nothing obeys them. */
const templates: readonly string[] = [".example", ".sample", ".template"];

/** The memory as files (X31): the database also by what SQLite puts beside it. */
const memoryNames: readonly string[] = ["memory.md", "memory_snapshot.md", "memory.db", "brain.db"];
const besideDatabase = /\.db-(wal|shm|journal)$/;

const patterns = controlFiles.flatMap(({ why, paths }) => paths.map((path) => ({ why, segments: path.split("/") })));
type Pattern = (typeof patterns)[number];
const beginsAnyhow = patterns.filter(({ segments }) => segments[0]?.includes("*"));
/** Nearly every name of a workspace begins none of them. */
const byBeginning = Map.groupBy(patterns, ({ segments }) => segments[0]);

/**
 * Why nothing may be written, put or deleted at a path, or undefined. That goes for a folder on the way to a control file too,
 * because another put in its place brings its own; and for files that do not exist yet.
 */
export function whyProtected(path: string): string | undefined {
	const names = namesOf(path);
	for (const [start, name] of names.entries()) {
		const isMet = ({ segments }: Pattern) => meets(names, start, segments);
		const met = byBeginning.get(name)?.find(isMet) ?? beginsAnyhow.find(isMet);
		if (met) return met.why;
	}
	return undefined;
}

/** Whether a path leads to or through a file of the memory, in any letter case. */
export function isMemoryFile(path: string): boolean {
	return namesOf(path).some((name) => memoryNames.includes(name.replace(besideDatabase, ".db")));
}

/** Whether the names from `start` on are a control file, lie below one, or end on the way to one. */
function meets(names: readonly string[], start: number, pattern: readonly string[]): boolean {
	const isWhole = pattern.at(-1) === "**";
	const length = isWhole ? pattern.length - 1 : pattern.length;
	if (names.length - start > length && !isWhole) return false;
	return pattern.slice(0, Math.min(length, names.length - start)).every((segment, index) => {
		return isNamed(names[start + index] ?? "", segment);
	});
}

function isNamed(name: string, pattern: string): boolean {
	if (pattern.startsWith("*")) return name.endsWith(pattern.slice(1));
	if (!pattern.endsWith("*")) return name === pattern;
	return name.startsWith(pattern.slice(0, -1)) && !templates.some((end) => name.endsWith(end));
}

const namesOf = (path: string) => path.split("/").filter(Boolean).map(fold);

const foldedAlready = /^[a-z0-9_.-]*[a-z0-9_-]$/;

/**
 * A name as the most forgiving of file systems takes it, for files travel: macOS overlooks letter case and invisible characters,
 * Windows also dots and blanks at the end and what follows a colon, and both call `.git` by a short name.
 */
function fold(name: string): string {
	if (foldedAlready.test(name)) return name;
	const plain = name
		.replace(/\p{Cf}/gu, "")
		.toUpperCase()
		.toLowerCase()
		.replace(/(?<=.):.*$/, "")
		.replace(/(?<=[^. ])[. ]+$/, "");
	return plain === "git~1" ? ".git" : plain;
}
