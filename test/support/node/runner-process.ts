import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildRunner, runnerProgram } from "../../../scripts/build-runner";
import { freePort } from "../../../scripts/free-port";
import { eventually } from "../eventually";

/** A runner that a test starts and kills as it likes; its address and its token stay. */
export interface RunnerProcess {
	readonly url: string;
	readonly token: string;
	readonly stateFolder: string;
	/** Resolves when it answers. */
	start(): Promise<void>;
	/** Ends it at once, as a lack of memory would. */
	kill(): Promise<void>;
	/** Kills it and takes its files off the disk. */
	discard(): Promise<void>;
}

export async function makeRunner(more: Readonly<Record<string, string>> = {}): Promise<RunnerProcess> {
	await buildRunner();
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const token = `runner-${randomUUID()}`;
	const stateFolder = mkdtempSync(path.join(tmpdir(), "oryx-e2e-runner-"));
	chmodSync(stateFolder, 0o711);
	const own = { RUNNER_TOKEN: token, RUNNER_HOST: "127.0.0.1", PORT: String(port), RUNNER_STATE_DIR: stateFolder };
	let child: ChildProcess | undefined;

	const answers = async () => {
		if (child?.exitCode !== null) throw new Error("The runner did not start.");
		const response = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } }).catch(() => {});
		return response?.ok === true;
	};
	const kill = async () => {
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, "exit");
		child.kill("SIGKILL");
		await ended;
	};
	return {
		url,
		token,
		stateFolder,
		async start() {
			child = spawn(process.execPath, [runnerProgram], { env: { ...process.env, ...own, ...more }, stdio: "ignore" });
			await eventually(answers, (isReady) => isReady);
		},
		kill,
		async discard() {
			await kill();
			rmSync(stateFolder, { recursive: true, force: true });
		},
	};
}
