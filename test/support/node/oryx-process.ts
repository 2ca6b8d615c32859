import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../scripts/free-port";
import { runnerFolder } from "../../../scripts/local-runner";
import { findMarked } from "../../../scripts/processes";
import { root } from "./source";

const startTimeoutMs = 90_000;

/** A state directory and everything that a start needs to find it again; deleted by `discard`. */
export interface Home {
	readonly port: number;
	readonly token: string;
	readonly address: string;
	readonly environment: Readonly<Record<string, string>>;
	discard(): void;
}

export async function makeHome(more: Readonly<Record<string, string>> = {}): Promise<Home> {
	const stateDir = mkdtempSync(path.join(tmpdir(), "oryx-e2e-"));
	const port = await freePort();
	const token = `e2e-${randomUUID()}`;
	return {
		port,
		token,
		address: `http://127.0.0.1:${port}`,
		environment: {
			PORT: String(port),
			ORYX_STATE_DIR: stateDir,
			ORYX_ADMIN_TOKEN: token,
			ORYX_MASTER_KEY: Buffer.alloc(32, "e2e").toString("base64"),
			ORYX_ALLOW_LOOPBACK: "1",
			...more,
		},
		discard() {
			for (const folder of [stateDir, runnerFolder(stateDir)]) rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** A running `npm start` in a process group of its own. */
export interface OryxProcess {
	/** All that it has said. */
	output(): string;
	/** Asks npm itself for the end with a signal, and answers its exit code. */
	stop(signal: NodeJS.Signals): Promise<number>;
	/** Kills the whole process group at once, as a power cut would. */
	kill(): Promise<void>;
	/** Processes of this start that are alive; zombies do not count. */
	survivors(): number[];
	/** What others on the machine see of them. */
	commandLines(): string[];
}

/** Runs `npm start` and waits until it says that it is ready. */
export async function startOryx(home: Home): Promise<OryxProcess> {
	const mark = randomUUID();
	const child = spawn("npm", ["start"], {
		cwd: root,
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, ...home.environment, ORYX_E2E_MARK: mark },
	});
	const output = collect(child);
	const marked = () => findMarked(`ORYX_E2E_MARK=${mark}`);
	await becomesReady(child, output);
	// The runner gets a few variables only; that one of them is the mark of all that a start has started.
	const start = marked().flatMap(startMarkOf)[0];
	const survivors = () => [...new Set([...marked(), ...(start ? findMarked(start) : [])])];
	return {
		output,
		survivors,
		commandLines: () => survivors().map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8")),
		async stop(signal) {
			child.kill(signal);
			if (child.exitCode === null) await once(child, "exit");
			return child.exitCode ?? -1;
		},
		async kill() {
			if (child.pid && survivors().length > 0) process.kill(-child.pid, "SIGKILL");
			while (survivors().length > 0) await sleep(10);
		},
	};
}

const startMarkOf = (pid: number): string[] =>
	readFileSync(`/proc/${pid}/environ`, "utf8")
		.split("\0")
		.filter((variable) => variable.startsWith("ORYX_START="));

function collect({ stdout, stderr }: ChildProcess): () => string {
	let said = "";
	for (const stream of [stdout, stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (said += text));
	return () => said;
}

async function becomesReady(child: ChildProcess, output: () => string): Promise<void> {
	const deadline = Date.now() + startTimeoutMs;
	while (!output().includes("oryx-edge is ready")) {
		if (child.exitCode !== null || Date.now() > deadline) throw new Error(`npm start did not get ready:\n${output()}`);
		await sleep(50);
	}
}
