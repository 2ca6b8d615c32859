const mark = "interpreter:";

/** The SHELL list as it is obeyed. An entry is a command, or `interpreter:` and a command that runs other programs (features.md X4). */
export interface ShellList {
	/** Every command that may be run. */
	readonly names: ReadonlySet<string>;
	/** Those of them that an administrator has marked as running other programs. */
	readonly interpreters: ReadonlySet<string>;
}

export function readShellList(entries: readonly string[]): ShellList {
	const marked = entries.filter((entry) => entry.startsWith(mark)).map((entry) => entry.slice(mark.length));
	const plain = entries.filter((entry) => !entry.startsWith(mark));
	return { names: new Set([...plain, ...marked]), interpreters: new Set(marked) };
}

/** Whether a program is known to run code or other programs that it is given. */
export const runsPrograms = (name: string): boolean => interpreters.test(name);

const interpreters = new RegExp(
	`^(${[
		"(ba|da|z|k|mk|fi|c|tc|a)?sh|busybox|env|xargs|find|parallel|nohup|timeout|setsid|nice|stdbuf|script|watch|time|sudo|su|doas|chroot|unshare|nsenter|bwrap|firejail|setpriv|strace|ltrace|gdb",
		"python[0-9.]*|pypy[0-9.]*|pip[0-9.]*|pipx|uv|uvx|poetry|conda",
		"node|nodejs|deno|bun|bunx|npm|npx|pnpm|pnpx|yarn|corepack|tsx|ts-node",
		"perl[0-9.]*|ruby[0-9.]*|irb|gem|bundle|rake|php[0-9.]*|composer|lua[0-9.]*|luajit|tclsh[0-9.]*|wish|expect|guile|racket|sbcl|ghci?|runghc|julia|Rscript|R|octave|erl|elixir|iex|escript",
		"java|javac|jshell|kotlin|scala|groovy|mvn|gradle|ant|dotnet|mono|go|cargo|rustc|gcc|g[+][+]|cc|c[+][+]|clang([+][+])?|tcc|make|gmake|cmake|ninja|meson|bazel",
		"git|hg|svn|ssh|scp|sftp|rsync|docker|podman|kubectl|tar|cpio|zip|unzip|[gmn]?awk|sed|ed|ex|vi|vim|nvim|emacs|nano|less|more|man|sqlite3|psql|mysql|redis-cli|mongo|mongosh|curl|wget|socat|nc|ncat|crontab|at|batch|systemctl|ffmpeg|convert|magick",
	].join("|")})$`,
);
