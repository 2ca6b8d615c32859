import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildRunner, runnerProgram } from "./build-runner.ts";
import { freePort } from "./free-port.ts";

const startTimeoutMs = 20_000;

export interface LocalRunner {
	readonly url: string;
	readonly token: string;
	/** The sandbox in force, and what is missing, for people. */
	readonly description: string;
}

/**
 * Builds the runner and starts it as a process of this machine; it ends with the processes that carry this one's mark. Throws
 * when it does not answer.
 */
export async function startRunner(stateDir: string): Promise<LocalRunner> {
	const launcher = await buildRunner();
	const port = await freePort();
	const token = randomBytes(32).toString("base64url");
	const { HOME, ORYX_START, PATH, RUNNER_LAUNCHERS, RUNNER_SANDBOX, RUNNER_SANDBOX_REQUIRED } = process.env;
	const own = {
		RUNNER_TOKEN: token,
		RUNNER_HOST: "127.0.0.1",
		PORT: String(port),
		RUNNER_STATE_DIR: stateFolder(stateDir),
	};
	const chosen = {
		HOME,
		ORYX_START,
		PATH,
		RUNNER_LAUNCHERS,
		RUNNER_SANDBOX,
		RUNNER_SANDBOX_REQUIRED,
	};
	const child = spawn(process.execPath, [runnerProgram], {
		env: { ...chosen, ...own },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const said: string[] = [];
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (text) => keepLast(said, text));
	const url = `http://127.0.0.1:${port}`;
	const health = await becomesReady(url, token, () => child.exitCode === null && child.signalCode === null);
	if (!health) {
		child.kill("SIGKILL");
		throw new Error(`The runner did not start.\n${said.join("")}`);
	}
	const { backend, layers, refusal } = health.sandbox;
	const description = [refusal ?? `${layers.join(", ") || backend}`, "missing" in launcher && launcher.missing]
		.filter(Boolean)
		.join(" ");
	return { url, token, description };
}

/** Where every user may pass through to its own files; the folder of the state often lies in somebody's home. */
function stateFolder(stateDir: string): string {
	const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 16);
	const folder = path.join(tmpdir(), `oryx-runner-${name}`);
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
