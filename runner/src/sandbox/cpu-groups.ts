import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const periodUs = 100_000;
const prefix = "oryx-runner-";

/** A control group for each program, which holds its share of the processors. */
export interface CpuGroups {
	/** Answers the group's folder; 100 percent is one processor. */
	make(percent: number): string;
	remove(folder: string): void;
}

/** Answers why there are none where the runner may not make them. */
export function openCpuGroups(): CpuGroups | string {
	try {
		const { base, version } = findBase();
		removeStale(base);
		const own = path.join(base, `${prefix}${process.pid}`);
		mkdirSync(own, { recursive: true });
		if (version === 2) delegate(base, own);
		const groups = createGroups(own, version);
		groups.remove(groups.make(100));
		return groups;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return `No control group of processors can be made: ${reason}`;
	}
}

function createGroups(own: string, version: 1 | 2): CpuGroups {
	let made = 0;
	return {
		make(percent) {
			const folder = path.join(own, String(made++));
			const quotaUs = percent * (periodUs / 100);
			mkdirSync(folder);
			if (version === 2) writeFileSync(path.join(folder, "cpu.max"), `${quotaUs} ${periodUs}`);
			else writeFileSync(path.join(folder, "cpu.cfs_quota_us"), String(quotaUs));
			return folder;
		},
		remove(folder) {
			try {
				rmdirSync(folder);
			} catch {
				// In use for a moment longer; the next runner's start takes it away.
			}
		},
	};
}

/** Below the runner's own group in version 1; in version 2, where a group with processes has none below it, at the top. */
function findBase(): { base: string; version: 1 | 2 } {
	const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n").map(parseMount);
	const first = mounts.find(({ type, options }) => type === "cgroup" && options.includes("cpu"));
	if (first) {
		const groups = readFileSync("/proc/self/cgroup", "utf8")
			.split("\n")
			.map((line) => line.split(":"));
		const group = groups.find(([, controllers = ""]) => controllers.split(",").includes("cpu"))?.[2] ?? "/";
		return { base: path.join(first.at, group), version: 1 };
	}
	const second = mounts.find(({ type }) => type === "cgroup2");
	if (second) return { base: second.at, version: 2 };
	throw new Error("No hierarchy of control groups is mounted.");
}

function parseMount(line: string): { at: string; type: string; options: string[] } {
	const [before = "", after = ""] = line.split(" - ");
	const [type = "", , options = ""] = after.split(" ");
	return { at: before.split(" ")[4] ?? "", type, options: options.split(",") };
}

function delegate(base: string, own: string): void {
	for (const folder of [base, own]) writeFileSync(path.join(folder, "cgroup.subtree_control"), "+cpu");
}

/** Groups of runners that are no more. */
function removeStale(base: string): void {
	for (const name of readdirSync(base).filter((entry) => entry.startsWith(prefix))) {
		if (isAlive(Number(name.slice(prefix.length)))) continue;
		const folder = path.join(base, name);
		const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
		for (const group of [...inside.map((entry) => path.join(folder, entry.name)), folder]) {
			try {
				rmdirSync(group);
			} catch {
				// Somebody is in it.
			}
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
