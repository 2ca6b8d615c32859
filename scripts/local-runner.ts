import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildRunner, runnerProgram } from "./build-runner.ts";
import { freePort } from "./free-port.ts";

const startTimeoutMs = 20_000;
/** Between an end and the next start; longer each time while none lasts. */
const shortestPauseMs = 100;
const longestPauseMs = 30_000;
const steadyMs = 60_000;

export interface LocalRunner {
	readonly url: string;
	readonly token: string;
	/** The sandbox in force, and what is missing, for people. */
	readonly description: string;
	/** Resolves when it has ended because it was to. */
	readonly ended: Promise<void>;
}

/**
 * Builds the runner and starts it as a process of this machine, until `signal` aborts; one that ends by itself is started again at the
 * same address. Throws when the first does not answer.
 */
export async function startRunner(stateDir: string, signal: AbortSignal): Promise<LocalRunner> {
	const launcher = await buildRunner();
	const port = await freePort();
	const token = randomBytes(32).toString("base64url");
	const environment = environmentOf({ token, port, stateFolder: openFolder(stateDir) });
	const url = `http://127.0.0.1:${port}`;
	const first = spawnRunner(environment, signal);
	const health = await becomesReady(url, token, first.isAlive);
	if (!health) {
		first.child.kill("SIGKILL");
		throw new Error(`The runner did not start.\n${first.said()}`);
	}
	const ended = keepRunning(first, environment, signal);
	const { backend, layers, refusal } = health.sandbox;
	const description = [refusal ?? `${layers.join(", ") || backend}`, "missing" in launcher && launcher.missing]
		.filter(Boolean)
		.join(" ");
	return { url, token, description, ended };
}

function environmentOf({ token, port, stateFolder }: { token: string; port: number; stateFolder: string }) {
	const { HOME, ORYX_START, PATH, RUNNER_LAUNCHERS, RUNNER_SANDBOX, RUNNER_SANDBOX_REQUIRED } = process.env;
	const own = { RUNNER_TOKEN: token, RUNNER_HOST: "127.0.0.1", PORT: String(port), RUNNER_STATE_DIR: stateFolder };
	return { HOME, ORYX_START, PATH, RUNNER_LAUNCHERS, RUNNER_SANDBOX, RUNNER_SANDBOX_REQUIRED, ...own };
}

type Runner = ReturnType<typeof spawnRunner>;

function spawnRunner(env: NodeJS.ProcessEnv, signal: AbortSignal) {
	const child = spawn(process.execPath, [runnerProgram], { env, stdio: ["ignore", "pipe", "pipe"], signal });
	const said: string[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (text) => keepLast(said, text));
	}
	// An aborted signal ends the child and is told as an error.
	child.on("error", (error) => keepLast(said, `${error.message}\n`));
	const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
	return {
		child,
		ended,
		said: () => said.join(""),
		isAlive: () => child.exitCode === null && child.signalCode === null,
	};
}

async function keepRunning(first: Runner, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
	let pauseMs = shortestPauseMs;
	for (let runner = first; ; runner = spawnRunner(environment, signal)) {
		const startedAt = Date.now();
		await runner.ended;
		if (signal.aborted) return;
		const { exitCode, signalCode } = runner.child;
		const last = runner.said().trim().split("\n").slice(-5).join("\n");
		console.error(`Problem: The runner ended (${signalCode ?? exitCode}) and is started again. It last said:\n${last}`);
		pauseMs = Date.now() - startedAt > steadyMs ? shortestPauseMs : Math.min(2 * pauseMs, longestPauseMs);
		await sleep(pauseMs);
		if (signal.aborted) return;
	}
}

/** Where every user may pass through to its own files; the folder of the state often lies in somebody's home. */
export function runnerFolder(stateDir: string): string {
	const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 16);
	return path.join(tmpdir(), `oryx-runner-${name}`);
}

function openFolder(stateDir: string): string {
	const folder = runnerFolder(stateDir);
	mkdirSync(folder, { recursive: true, mode: 0o711 });
	const { uid } = lstatSync(folder);
	// Somebody else may have taken the name in a folder that all may write to.
	return lstatSync(folder).isDirectory() && uid === process.getuid?.() ? folder : mkdtempSync(`${folder}-`);
}

function keepLast(said: string[], text: string): void {
	said.push(text);
	if (said.length > 100) said.shift();
}

interface Health {
	readonly sandbox: { readonly backend: string; readonly layers: readonly string[]; readonly refusal?: string };
}

async function becomesReady(url: string, token: string, isAlive: () => boolean): Promise<Health | undefined> {
	const headers = { authorization: `Bearer ${token}` };
	for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && isAlive(); await sleep(50)) {
		const response = await fetch(`${url}/health`, { headers }).catch(() => undefined);
		if (response?.ok) return (await response.json()) as Health;
	}
	return undefined;
}
