import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ProgramLimits } from "../../../src/shared/runner";
import { proxyPort } from "../../../src/shared/runner-network";
import type { Command, Place, Wrapped } from "./backend";
import type { Host } from "./host";

/** Threads that a program and what it starts may have besides its processes: to the kernel both are tasks. */
const threadAllowance = 64;

export interface Confinement {
	/** Folder in which the program starts, as it sees it. */
	readonly cwd: string;
	/** What Landlock leaves readable and writable; undefined to do without. */
	readonly files: { readonly read: readonly string[]; readonly write: readonly string[] } | undefined;
	/** Tasks of the same user that run already and count as well. */
	readonly otherTasks: number;
	/** Whether the program stands in the runner's own network namespace, where only filters keep it from the network. */
	readonly sharesNetwork: boolean;
	/** Whether it sees the runner's folders, so that sockets in them are within reach. */
	readonly seesSockets: boolean;
}

/** Options of `launcher supervise` or `launcher init` that confine a program. */
export function confine(host: Host, command: Command, place: Place, limits: ProgramLimits, how: Confinement): string[] {
	const options = Object.keys(command.env).flatMap((name) => ["--env", name]);
	options.push("--cwd", how.cwd, ...limitOptions(limits, how.otherTasks));
	if (how.files && host.landlockAbi > 0) {
		options.push("--landlock", ...how.files.read.flatMap((file) => ["--read", file]));
		options.push(...how.files.write.flatMap((file) => ["--write", file]));
	}
	if (host.hasSeccomp) options.push("--seccomp");
	if (how.sharesNetwork && !place.network) options.push("--no-tcp", "--no-inet");
	if (place.egress !== undefined) options.push("--proxy-port", String(proxyPort));
	if (how.seesSockets) options.push("--no-unix");
	return options;
}

const limitOptions = (limits: ProgramLimits, otherTasks: number): string[] => [
	...["--memory-mb", String(limits.maxMemoryMb)],
	...["--cpu-seconds", String(limits.maxCpuTimeSeconds)],
	...["--open-files", String(limits.maxOpenFiles)],
	...["--tasks", String(maxTasks(limits) + otherTasks)],
];

export const maxTasks = (limits: ProgramLimits): number => limits.maxSubprocesses + 1 + threadAllowance;

/** The program itself under the launcher, with what confines it. */
export function superviseProgram(host: Host, command: Command, place: Place, options: readonly string[]): Wrapped {
	return supervise(host, command, [...userOption(place), ...options, "--", command.program, ...command.args]);
}

/** A wrapper, with the program in it, under the launcher. */
export function superviseWrapper(
	host: Host,
	command: Command,
	limits: ProgramLimits,
	{ options, wrapper }: Record<"options" | "wrapper", readonly string[]>,
): Wrapped {
	// Memory is watched from outside, where all processes are seen.
	return supervise(host, command, [...options, "--memory-mb", String(limits.maxMemoryMb), "--", ...wrapper]);
}

/** For the launcher outside, whose the way to a proxy is. */
export const egressOption = ({ egress }: Place): string[] => (egress === undefined ? [] : ["--proxy-socket", egress]);

export const userOption = ({ uid }: Place): string[] => (uid === undefined ? [] : ["--uid", String(uid)]);

function supervise({ launcher }: Host, { env }: Command, args: readonly string[]): Wrapped {
	if (!launcher) throw new Error("There is no launcher.");
	return { program: launcher, args: ["supervise", ...args], env, isReported: true, release: () => {} };
}

export const insideOf = (place: Place, shownAs: string): string => path.posix.join(shownAs, place.cwd);

/** Tasks of the runner's own user: where a program stays that user, the kernel counts them with the program's. */
export function ownTasks(place: Place): number {
	if (place.uid !== undefined) return 0;
	const uid = String(process.getuid?.());
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return pids.reduce((sum, pid) => sum + tasksOf(pid, uid), 0);
}

function tasksOf(pid: string, uid: string): number {
	try {
		const status = readFileSync(`/proc/${pid}/status`, "utf8");
		if (/^Uid:\s+(\d+)/m.exec(status)?.[1] !== uid) return 0;
		return Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
	} catch {
		return 0;
	}
}
