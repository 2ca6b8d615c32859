import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalRunner, startRunner } from "./local-runner.ts";
import { applyMigrations, spawnWrangler } from "./local-wrangler.ts";
import { endMarked } from "./processes.ts";
import { envFileLine, readSettings, type StartSettings, writePrivately } from "./settings.ts";
import { relayOutput } from "./worker-output.ts";

const help = `npm start: serves oryx-edge on this machine and keeps its state between starts.

Set in the environment, or in .dev.vars:
  PORT                  port on 127.0.0.1 (8787)
  ORYX_ADMIN_TOKEN      the administrator's token (made once and kept in .dev.vars)
  ORYX_MASTER_KEY       32 bytes in base64 that seal stored secrets (made once and kept in .dev.vars)
  ORYX_STATE_DIR        where databases and sessions live (.wrangler/state)
  ORYX_ALLOW_LOOPBACK   1: loopback addresses may be listed and reached; development only
  ORYX_MODEL            provider:model of agents that name none (manual)
  ORYX_MODEL_BASE_URL   address of that model's server
  ORYX_MODEL_API_KEY    its key; the vendors' usual names (OPENAI_API_KEY …) work too
  ORYX_CORS_ORIGINS     origins that may call the API from a browser, comma-separated (none)
  ORYX_RUNNER           off: no runner is started, and real programs are unavailable
  RUNNER_SANDBOX        bubblewrap, namespaces, landlock, docker, firejail or none (auto: the strongest that holds)
  RUNNER_SANDBOX_REQUIRED  off: programs run even where no sandbox holds
Ctrl-C or SIGTERM ends it.`;

const startTimeoutMs = 100_000;
const stopGraceMs = 5_000;
/** A Worker that is still waking may say that its database does not answer. */
const sickPatienceMs = 5_000;

/** Answers the exit code: 0 after a signal, the Worker process's own when that ends by itself. */
async function main(): Promise<number> {
	const settings = readSettings(process.env);
	await refuseTakenPort(settings.port);
	// Inherited by everything that this process starts, so that all of it is found again.
	process.env.ORYX_START = randomUUID();
	const stopping = new AbortController();
	try {
		const code = await Promise.race([stopSignal(), serve(settings, stopping.signal)]);
		if (code !== 0) console.error(`The Worker's process ended by itself, with code ${code}.`);
		return code;
	} finally {
		stopping.abort();
		await endMarked(`ORYX_START=${process.env.ORYX_START}`, stopGraceMs);
	}
}

/** Who reads the output may go away (`npm start | head`); the server stays. */
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** Resolves at the first signal that asks for the end; further ones change nothing. */
function stopSignal(): Promise<0> {
	return new Promise((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve(0));
	});
}

async function serve(settings: StartSettings, stopping: AbortSignal): Promise<number> {
	mkdirSync(settings.stateDir, { recursive: true });
	const [runner] = await Promise.all([runnerOf(settings, stopping), applyMigrations(settings.stateDir)]);
	const worker = startWorker(settings, runner);
	const output = relayOutput(worker);
	const ended = once(worker, "close").then(([code]) => Number(code) || 1);
	const outcome = await Promise.race([ended, becomesHealthy(settings.port)]);
	if (typeof outcome === "object" && outcome.isServing) {
		output.release();
		console.log(announcement(settings, runner));
		for (const problem of outcome.problems) console.error(`Problem: ${problem}`);
		return await ended;
	}
	console.error(output.held());
	if (typeof outcome === "number") return outcome;
	if (!outcome) throw new Error(`The Worker did not answer within ${startTimeoutMs / 1000} seconds.`);
	throw new Error(`The Worker runs and cannot serve. ${outcome.problems.join(" ")}`);
}

/** Everything else works without a runner, so one that cannot be started is told and left out. */
async function runnerOf(
	{ stateDir, isRunnerOff }: StartSettings,
	stopping: AbortSignal,
): Promise<LocalRunner | undefined> {
	if (isRunnerOff) return undefined;
	try {
		return await startRunner(stateDir, stopping);
	} catch (error) {
		console.error(
			`Problem: ${error instanceof Error ? error.message : error} Programs and stdio MCP servers are unavailable.`,
		);
		return undefined;
	}
}

function startWorker({ port, stateDir, workerVars }: StartSettings, runner: LocalRunner | undefined) {
	const envFile = path.join(stateDir, "worker.env");
	const own = runner && { ORYX_RUNNER_URL: runner.url, ORYX_RUNNER_TOKEN: runner.token };
	const lines = Object.entries({ ...workerVars, ...own }).map(([name, value]) => envFileLine(name, value));
	writePrivately(envFile, lines.join(""));
	const options = ["dev", "--local", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
	options.push("--persist-to", stateDir, "--env-file", envFile, "--show-interactive-dev-session=false");
	return spawnWrangler(options, stateDir);
}

interface Health {
	readonly isServing: boolean;
	/** What is wrong, also where it serves, such as a model that cannot be asked. */
	readonly problems: readonly string[];
}

/** Waits until the Worker serves, or has said for a while why it cannot; undefined when it says nothing at all. */
async function becomesHealthy(port: number): Promise<Health | undefined> {
	let sickSince: number | undefined;
	for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await sleep(100)) {
		const health = await readHealth(port).catch(() => undefined);
		if (health?.isServing) return health;
		if (health) sickSince ??= Date.now();
		if (health && Date.now() - (sickSince ?? 0) > sickPatienceMs) return health;
	}
	return undefined;
}

async function readHealth(port: number): Promise<Health> {
	const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5_000) });
	const { problems } = (await response.json()) as { problems: string[] };
	return { isServing: response.ok, problems };
}

async function refuseTakenPort(port: number): Promise<void> {
	const probe = createServer();
	try {
		await once(probe.listen(port, "127.0.0.1"), "listening");
	} catch (error) {
		const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
		throw new Error(
			`Port ${port} ${isTaken ? "is in use; stop what listens there" : "cannot be opened"}, or choose another: PORT=8788 npm start`,
		);
	}
	await once(probe.close(), "close");
}

function announcement(settings: StartSettings, runner: LocalRunner | undefined): string {
	const { port, stateDir, isTokenNew, adminToken, tokenSource, model } = settings;
	const address = `http://127.0.0.1:${port}`;
	const isShown = isTokenNew && process.stdout.isTTY;
	return `oryx-edge is ready.

  address  ${address}
  docs     ${address}/docs
  token    ${isShown ? `${adminToken} (kept as ${tokenSource})` : tokenSource}
  model    ${model ?? "manual (no language model configured)"}
  runner   ${runner?.description ?? "off"}
  state    ${stateDir}
  stop     Ctrl-C, or kill ${process.pid}
`;
}

if (process.argv.includes("--help") || process.argv.includes("-h")) {
	console.log(help);
} else {
	try {
		process.exit(await main());
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	}
}
