import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
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

/** Starts wrangler's own program, without the wrapper in `.bin` that leaves it running when it gets a signal. */
export function spawnWrangler(
	options: readonly string[],
	{ stateDir, mark }: { stateDir: string; mark: string },
): ChildProcess {
	const program = path.join(root, "node_modules/wrangler/wrangler-dist/cli.js");
	const [markName = "", markValue] = mark.split("=");
	return spawn(process.execPath, ["--no-warnings", program, ...options], {
		cwd: root,
		stdio: ["ignore", "pipe", "pipe"],
		env: {
			...process.env,
			...quiet,
			FORCE_COLOR: "0",
			WRANGLER_LOG_PATH: path.join(stateDir, "logs"),
			WRANGLER_REGISTRY_PATH: path.join(stateDir, "registry"),
			[markName]: markValue,
		},
	});
}

/** Brings the database of `stateDir` up to date; throws with wrangler's own words when that fails. */
export async function applyMigrations(stateDir: string, mark: string): Promise<void> {
	// Beside the database, so that it goes when the database goes. Asking wrangler takes two seconds, this none.
	const stamp = path.join(stateDir, "v3/d1/oryx-migrations");
	const digest = digestOf(path.join(root, "migrations"));
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
	const options = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
	const child = spawnWrangler(options, { stateDir, mark });
	const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
	const code = await new Promise((resolve) => child.on("close", resolve));
	if (code !== 0) throw new Error(`The database migrations failed.\n${(await said).join("\n")}`);
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
