import { execFileSync } from "node:child_process";
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { firstPlaceUid } from "./users";

const features = z.object({ landlockAbi: z.number(), seccomp: z.boolean(), memory: z.boolean() });

/** What there is on this machine to build a sandbox from. */
export interface Host {
	readonly isRoot: boolean;
	/** First of the users that places get, one each; undefined where the runner may not give any. */
	readonly firstUid: number | undefined;
	/** Folder of the sandbox's own files, which programs may read. */
	readonly folder: string;
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
	writeOwn(folder, "passwd", "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/workspace:/bin/sh\n");
	writeOwn(folder, "group", "root:x:0:\nuser:x:1000:\n");
	const isRoot = process.getuid?.() === 0;
	const firstUid = firstPlaceUid();
	if (!existsSync(builtLauncher)) {
		return { isRoot, firstUid, folder, launcher: undefined, landlockAbi: 0, hasSeccomp: false, canWatchMemory: false };
	}
	const launcher = path.join(folder, "launcher");
	copyFileSync(builtLauncher, launcher);
	chmodSync(launcher, 0o755);
	const has = features.parse(JSON.parse(execFileSync(launcher, ["features"], { encoding: "utf8" })));
	return {
		isRoot,
		firstUid,
		folder,
		launcher,
		landlockAbi: has.landlockAbi,
		hasSeccomp: has.seccomp,
		canWatchMemory: has.memory,
	};
}

function writeOwn(folder: string, name: string, text: string): void {
	const file = path.join(folder, name);
	writeFileSync(file, text);
	chmodSync(file, 0o644);
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
