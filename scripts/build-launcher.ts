import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { root } from "./settings.ts";

export type LauncherBuild = { readonly path: string } | { readonly missing: string };

const source = path.join(root, "runner", "launcher");

/**
 * Compiles the runner's launcher to `target`, unless it is there and newer than its source. Without a compiler it answers what is
 * missing: the runner then falls back to what needs no launcher.
 */
export function buildLauncher(target = path.join(root, "dist", "runner", "launcher")): LauncherBuild {
	const files = globSync("*.{c,h}", { cwd: source }).map((file) => path.join(source, file));
	const newest = Math.max(...files.map((file) => statSync(file).mtimeMs));
	if (existsSync(target) && statSync(target).mtimeMs > newest) return { path: target };
	mkdirSync(path.dirname(target), { recursive: true });
	const unfinished = `${target}.${process.pid}`;
	const options = [
		"-O2",
		"-Wall",
		"-Wextra",
		"-pthread",
		"-o",
		unfinished,
		...files.filter((file) => file.endsWith(".c")),
	];
	for (const compiler of ["cc", "gcc", "clang"]) {
		const { error, status, stderr } = spawnSync(compiler, options, { encoding: "utf8" });
		if (error) continue;
		if (status !== 0)
			return { missing: `${compiler} could not compile the launcher: ${stderr.trim().slice(0, 2_000)}` };
		renameSync(unfinished, target);
		return { path: target };
	}
	return { missing: "The launcher needs a C compiler to be built (Debian: apt-get install gcc libc6-dev)." };
}

if (import.meta.main) {
	const built = buildLauncher();
	console.log("path" in built ? built.path : built.missing);
}
