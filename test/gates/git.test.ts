import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitConfigKeys, gitSafeguards, judgeGitArguments, judgeGitConfig } from "../../src/gates/git";

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "oryx-git-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git itself reads in a file, or undefined when it refuses it. */
function keysByGit(text: string): string[] | undefined {
	const file = path.join(folder, "config");
	writeFileSync(file, text);
	const { status, stdout } = spawnSync("git", ["config", "--file", file, "--list", "--name-only", "-z"]);
	return status === 0 ? stdout.toString().split("\0").filter(Boolean) : undefined;
}

describe("the keys of a git configuration", () => {
	it.each([
		"",
		"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n",
		'[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n',
		"[core] pager = less",
		"# note\n; other\n[user]\n\tname = A B # tail\n\temail = a@b.c\n",
		'[Alias]\n\tX = "!sh -c true"\n',
		"[core]\n\tfsmonitor",
		"[a]\n\tb = one \\\n\t[core] pager = sh\n\tc = 2\n",
		'[filter "x y"]\n\tclean = sh\n',
		'[remote "a\\"b"]\n\turl = x\n',
		"[core]\r\n\thooksPath = x\r\n",
		"[include]\n\tpath = /etc/x\n",
		'[includeIf "gitdir:/"]\n\tpath = x\n',
		"[core] ; c\n\tbare = false\n",
	])("are those that git finds in %j", (text) => {
		expect(gitConfigKeys(text)).toEqual(keysByGit(text));
	});

	it.each(["name = x", "[core\n\tx = 1", "[core]\n\t=x", "[core]\n\t1x = 2", "[co re]\n\tx = 1"])(
		"are not guessed where the line is not understood: %j",
		(text) => {
			expect(gitConfigKeys(text)).toBeUndefined();
			expect(judgeGitConfig(text).ok).toBe(false);
		},
	);
});

describe("a repository's configuration", () => {
	it("is fine as git writes it", () => {
		const repository = path.join(folder, "fresh");
		execFileSync("git", ["init", "-q", repository]);
		execFileSync("git", ["-C", repository, "config", "user.name", "A"]);
		execFileSync("git", ["-C", repository, "remote", "add", "origin", "https://example.com/x.git"]);
		const text = execFileSync("cat", [path.join(repository, ".git/config")]).toString();
		expect(judgeGitConfig(text)).toEqual({ ok: true });
	});

	it.each([
		"[core]\n\tfsmonitor = ./x",
		"[core]\n\thooksPath = x",
		"[core]\n\tsshCommand = x",
		"[core]\n\tpager = x",
		"[core]\n\teditor = x",
		"[core]\n\tworktree = /",
		"[core]\n\tattributesFile = x",
		"[core]\n\taskPass = x",
		"[core]\n\tgitProxy = x",
		"[alias]\n\tst = !x",
		'[filter "x"]\n\tclean = x',
		'[diff "x"]\n\ttextconv = x',
		"[diff]\n\texternal = x",
		"[gpg]\n\tprogram = x",
		"[credential]\n\thelper = !x",
		"[include]\n\tpath = x",
		'[includeIf "gitdir:/"]\n\tpath = x',
		'[merge "x"]\n\tdriver = x',
		"[merge]\n\ttool = x",
		'[mergetool "x"]\n\tcmd = x',
		'[remote "o"]\n\tuploadpack = x',
		'[remote "o"]\n\tproxy = x',
		'[remote "o"]\n\tvcs = x',
		'[url "ext::x"]\n\tinsteadOf = y',
		'[protocol "ext"]\n\tallow = always',
		"[uploadpack]\n\tpackObjectsHook = x",
		"[http]\n\tproxy = x",
		"[ssh]\n\tvariant = x",
		'[submodule "x"]\n\tupdate = !x',
		"[extensions]\n\tworktreeConfig = true",
		"[commit]\n\ttemplate = /etc/passwd",
		"[commit]\n\tgpgSign = true",
		"[sequence]\n\teditor = x",
		"[pager]\n\tlog = x",
		'[browser "x"]\n\tcmd = x',
		'[trailer "x"]\n\tcommand = x',
		"[log]\n\tmailmap = x\n[mailmap]\n\tfile = /etc/passwd",
	])("is refused where it names a program or leads elsewhere: %j", (text) => {
		expect(judgeGitConfig(text)).toMatchObject({ ok: false, reason: "foreign_git_config" });
	});
});

describe("the arguments of git", () => {
	it.each([
		"init",
		"add .",
		"commit -m one",
		"-c user.name=A -c user.email=a@b.c commit -m x",
		"-C sub status --short",
		"log --oneline -n 5",
		"diff HEAD~1 -- --exec",
		"branch -d old",
		"rebase main",
		"config user.name A",
		"tag v1",
		"show --textconv-nothing",
	])("may be: %s", (line) => {
		expect(judgeGitArguments(line.split(" "))).toEqual({ ok: true });
	});

	it.each([
		"-c core.pager=sh log",
		"-c core.fsmonitor=x status",
		"-c alias.x=!sh x",
		"--exec-path=/tmp status",
		"--config-env=core.pager=X log",
		"--git-dir=/x status",
		"fetch --upload-pack=sh .",
		"fetch --upload-p sh .",
		"push --receive-pack=sh .",
		"push --exec=sh .",
		"diff --ext-diff",
		"diff --ext-d",
		"diff --no-index /etc/passwd x",
		"log --textconv",
		"grep --open-files-in-pager=sh x",
		"grep -Osh x",
		"rebase -x sh main",
		"rebase --exec sh main",
		"rebase -i main",
		"bisect run sh",
		"difftool",
		"submodule foreach sh",
		"filter-branch --tree-filter sh",
		"commit -S -m x",
		"tag -s v1",
		"archive --remote=x HEAD",
		"archive --output=/tmp/x HEAD",
		"config --file /etc/x a.b c",
		"config --global a.b c",
		"clone https://example.com/x",
		"remote add x ext::sh",
		"init --template=/tmp/x",
		"init --separate-git-dir=/tmp/x",
		"hook run x",
		"worktree add /tmp/x",
		"credential fill",
	])("may not be: %s", (line) => {
		expect(judgeGitArguments(line.split(" "))).toMatchObject({ ok: false, reason: "argument_denied" });
	});

	it("begin with safeguards that this git takes", () => {
		const repository = path.join(folder, "guarded");
		const git = (...args: string[]) => execFileSync("git", [...gitSafeguards, ...args], { cwd: folder }).toString();
		git("init", "-q", repository);
		expect(git("-C", repository, "status", "--short")).toBe("");
		expect(execFileSync("ls", [path.join(repository, ".git")]).toString()).not.toContain("hooks");
	});
});
