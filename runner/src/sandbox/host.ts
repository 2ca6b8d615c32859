import { execFileSync } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { layOutRoot, shownLauncher } from "./root-folder";
import { placeUsers, type UserRange } from "./users";

const features = z.object({ landlockAbi: z.number(), seccomp: z.boolean(), memory: z.boolean() });

/** What there is on this machine to build a sandbox from. */
export interface Host {
	readonly isRoot: boolean;
	/** The users that places get, one each; undefined where the runner may not give any. */
	readonly users: UserRange | undefined;
	/** What programs see as `/` where a backend has mounts. */
	readonly root: string;
	/** The launcher, where every user can start it; undefined where it was not built. */
	readonly launcher: string | undefined;
	/** 0 where the kernel has none. */
	readonly landlockAbi: number;
	readonly hasSeccomp: boolean;
	/** Whether the launcher can watch what a tree of processes holds in memory. */
	readonly canWatchMemory: boolean;
}

/** Lays out the sandbox's own files below `stateFolder` and asks the launcher what the kernel has. */
export function openHost(stateFolder: string, builtLauncher: string): Host {
	const folder = path.join(stateFolder, "sandbox");
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o755);
	const isRoot = process.getuid?.() === 0;
	const users = placeUsers();
	const root = path.join(folder, "root");
	layOutRoot(root, existsSync(builtLauncher) ? builtLauncher : undefined);
	const known = { isRoot, users, root };
	if (!existsSync(builtLauncher)) {
		return { ...known, launcher: undefined, landlockAbi: 0, hasSeccomp: false, canWatchMemory: false };
	}
	const launcher = path.join(root, shownLauncher);
	const has = features.parse(JSON.parse(execFileSync(launcher, ["features"], { encoding: "utf8" })));
	return { ...known, launcher, landlockAbi: has.landlockAbi, hasSeccomp: has.seccomp, canWatchMemory: has.memory };
}

/** Where a program lies on a search path; undefined when it is nowhere. */
export function findProgram(name: string, searchPath = process.env.PATH ?? ""): string | undefined {
	const candidates = searchPath.split(":").map((folder) => path.join(folder, name));
	return candidates.find((candidate) => path.isAbsolute(candidate) && isExecutable(candidate));
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
