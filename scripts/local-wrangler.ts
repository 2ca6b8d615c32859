import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { finish } from "./processes.ts";
import { root } from "./settings.ts";

/** Nothing is reported, asked for or looked up outside this machine. */
const quiet = {
	CLOUDFLARE_CF_FETCH_ENABLED: "false",
	WRANGLER_HIDE_BANNER: "true",
	WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
	WRANGLER_SEND_ERROR_REPORTS: "false",
	WRANGLER_SEND_METRICS: "false",
	X_LOCAL_EXPLORER: "false",
	X_LOCAL_OBSERVABILITY: "false",
};

/** Of writable memory, for each process: far above what a server uses. A Worker that goes over is started anew, where it would else take the machine's. */
const maxMemoryKiB = 4 * 1_024 * 1_024;

/** Starts wrangler's own program, without the wrapper in `.bin` that leaves it running when it gets a signal. */
export function spawnWrangler(options: readonly string[], logDir: string): ChildProcess {
	const program = path.join(root, "node_modules/wrangler/wrangler-dist/cli.js");
	const capped = `ulimit -d ${maxMemoryKiB} 2> /dev/null; exec "$0" "$@"`;
	return spawn("/bin/sh", ["-c", capped, process.execPath, "--no-warnings", program, ...options], {
		cwd: root,
		stdio: ["ignore", "pipe", "pipe"],
		env: {
			...process.env,
			...quiet,
			NO_COLOR: "1",
			WRANGLER_LOG_PATH: path.join(logDir, "logs"),
			WRANGLER_REGISTRY_PATH: path.join(logDir, "registry"),
		},
	});
}

/** Brings the database of `stateDir` up to date; throws with wrangler's own words when that fails. */
export async function applyMigrations(stateDir: string): Promise<void> {
	// Beside the database, so that it goes when the database goes. Asking wrangler takes two seconds, this none.
	const stamp = path.join(stateDir, "v3/d1/oryx-migrations");
	const digest = digestOf(path.join(root, "migrations"));
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
	const options = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
	await finish(spawnWrangler(options, stateDir), "The database migrations failed.");
	writeFileSync(stamp, digest);
}

function digestOf(folder: string): string {
	const hash = createHash("sha256");
	for (const file of readdirSync(folder)
		.filter((name) => name.endsWith(".sql"))
		.sort()) {
		hash.update(file).update(readFileSync(path.join(folder, file)));
	}
	return hash.digest("hex");
}
