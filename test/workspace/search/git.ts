import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import path from "node:path";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

/** The files of a tree that git shows, sorted; nobody's own settings have a say. */
export function shownByGit(tree: Readonly<Record<string, string>>): string[] {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-git-"));
	try {
		for (const [name, text] of Object.entries(tree)) {
			mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
			writeFileSync(path.join(folder, name), text);
		}
		git(folder, "init", "--quiet");
		return git(folder, "ls-files", "--others", "--exclude-standard", "-z").split("\0").slice(0, -1).toSorted();
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function git(cwd: string, ...argv: string[]): string {
	const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull, XDG_CONFIG_HOME: cwd };
	return execFileSync("git", argv, { cwd, env, encoding: "utf8" });
}
