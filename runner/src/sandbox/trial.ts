import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProgramLimits } from "../../../src/shared/runner";
import { startConfined } from "../programs/confined-child";
import type { Backend, Command, Place } from "./backend";
import type { Host } from "./host";
import { plainProbe } from "./plain-probe";
import { shownLauncher } from "./root-folder";

export const trialLimits: ProgramLimits = {
	timeoutMs: 10_000,
	maxMemoryMb: 512,
	maxCpuPercent: 100,
	maxCpuTimeSeconds: 5,
	maxOpenFiles: 64,
	maxSubprocesses: 10,
};

/** Runs a program in the backend that tries to get out. Answers what was wrong; undefined when the backend holds. */
export async function tryBackend(host: Host, backend: Backend, folder: string): Promise<string | undefined> {
	try {
		await using outside = await openOutside(folder);
		const place = makePlace(host, folder);
		const problems = await runProbe(host, backend, place, outside);
		return [...problems, ...outside.problems()].join("; ") || undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A place for a trial, below `folder`. */
export function makePlace({ users }: Host, folder: string): Place {
	const uid = users && users.first - 1;
	const place = {
		folder: path.join(folder, "files"),
		temporary: path.join(folder, "tmp"),
		cwd: "",
		protectedPaths: [],
	};
	for (const made of [place.folder, place.temporary]) {
		mkdirSync(made, { mode: 0o700 });
		if (uid !== undefined) chownSync(made, uid, uid);
	}
	return { ...place, uid, network: false };
}

async function runProbe(host: Host, backend: Backend, place: Place, outside: Outside): Promise<string[]> {
	const child = await startConfined(backend, probeCommand(host, backend, place, outside), place, trialLimits);
	const timer = new AbortController();
	const late = sleep(trialLimits.timeoutMs, undefined, { signal: timer.signal }).then(() => child.end("SIGKILL"));
	late.catch(() => {});
	child.stdin.end();
	const [said, complained, end] = await Promise.all([text(child.stdout), text(child.stderr), child.ended]);
	timer.abort();
	const problems = `${said}\n${complained}`.split("\n").filter((line) => line.trim());
	if (end.exitCode !== 0) problems.push(`its trial ended with ${end.signal ?? `code ${end.exitCode}`}`);
	return problems;
}

/** A shell starts the probe, so that a sandbox in which usual programs do not run fails its trial. */
function probeCommand(host: Host, backend: Backend, place: Place, outside: Outside): Command {
	const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
	const folder = backend.hasMounts ? "/workspace" : place.folder;
	if (!host.launcher) return { program: "sh", args: ["-c", plainProbe, "sh", ...outside.names, folder], env };
	const launcher = backend.hasMounts ? shownLauncher : host.launcher;
	return { program: "sh", args: ["-c", 'exec "$@"', "sh", launcher, "probe", ...outside.names, folder], env };
}

interface Outside extends AsyncDisposable {
	/** What the probe is to try, as the launcher's probe takes it. */
	readonly names: readonly string[];
	/** What the probe did out here. */
	problems(): string[];
}

/** Things that a program in a sandbox must not reach: a file, a process, a port for each protocol, a socket. */
async function openOutside(folder: string): Promise<Outside> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o755);
	const file = path.join(folder, "foreign");
	writeFileSync(file, "foreign");
	chmodSync(file, 0o666);
	const mark = randomUUID();
	const bystander = spawn("/bin/sleep", ["60"], { env: { MARK: mark }, stdio: "ignore" });
	await once(bystander, "spawn");
	const seen = new Set<string>();
	const tcp = createServer(() => seen.add("a TCP connection came out of it"));
	const local = createServer(() => seen.add("a connection to a Unix socket came out of it"));
	const udp = createSocket("udp4", () => seen.add("a datagram came out of it"));
	const socket = path.join(folder, "socket");
	await Promise.all([listen(tcp, { port: 0, host: "127.0.0.1" }), listen(local, { path: socket, writableAll: true })]);
	udp.bind(0, "127.0.0.1");
	await once(udp, "listening");
	return {
		names: [file, String(bystander.pid), mark, String(portOf(tcp)), String(udp.address().port), socket],
		problems() {
			if (bystander.exitCode !== null || bystander.signalCode !== null) seen.add("a process outside was ended");
			return [...seen];
		},
		async [Symbol.asyncDispose]() {
			bystander.kill("SIGKILL");
			for (const server of [tcp, local]) server.close();
			udp.close();
		},
	};
}

async function listen(server: Server, options: Parameters<Server["listen"]>[0]): Promise<void> {
	server.listen(options);
	await once(server, "listening");
}

function portOf(server: Server): number {
	const address = server.address();
	return address && typeof address === "object" ? address.port : 0;
}
