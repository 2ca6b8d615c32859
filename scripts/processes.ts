import { type ChildProcess, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits for the end of a process; throws `failure` and all that the process said unless it ended well. */
export async function finish(child: ChildProcess, failure: string): Promise<void> {
	const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
	const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
	if (code !== 0) throw new Error(`${failure}\n${(await said).join("\n").trim()}`);
}

/**
 * Living processes that carry `mark` (`NAME=value`) in their environment, this one left out. A child's children are found
 * even when the child is gone: wrangler leaves workerd running, and the port taken, when it is killed.
 */
export function findMarked(mark: string): number[] {
	return (process.platform === "linux" ? fromProc(mark) : fromPs(mark)).filter((pid) => pid !== process.pid);
}

function fromProc(mark: string): number[] {
	const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
	return pids.filter((pid) => readEnvironment(pid).includes(mark));
}

/** Empty for a process that is gone, is a zombie, or belongs to somebody else. */
function readEnvironment(pid: number): string[] {
	try {
		return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
	} catch {
		return [];
	}
}

function fromPs(mark: string): number[] {
	const { stdout } = spawnSync("ps", ["-Aww", "-E", "-o", "pid=,command="], { encoding: "utf8" });
	const lines = (stdout ?? "").split("\n").filter((line) => line.split(" ").includes(mark));
	return lines.map((line) => Number.parseInt(line, 10)).filter(Number.isInteger);
}

/** Ends every marked process: asks with SIGTERM, insists with SIGKILL after `graceMs`. */
export async function endMarked(mark: string, graceMs: number): Promise<void> {
	signalAll(findMarked(mark), "SIGTERM");
	const deadline = Date.now() + graceMs;
	while (findMarked(mark).length > 0) {
		if (Date.now() > deadline) signalAll(findMarked(mark), "SIGKILL");
		await sleep(50);
	}
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
	for (const pid of pids) {
		try {
			process.kill(pid, signal);
		} catch {
			// Gone meanwhile: what was wanted.
		}
	}
}
