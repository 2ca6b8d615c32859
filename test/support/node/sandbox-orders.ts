import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { buildLauncher } from "../../../scripts/build-launcher";
import type { ProgramEnd, ProgramLimits, SandboxBackend, SandboxReport } from "../../../src/shared/runner";
import type { NetworkOutcome, NetworkRules } from "../../../src/shared/runner-network";
import { root } from "./source";

/** One program for the driver to run; `$NAME` in its arguments stands for what the driver has outside. */
export interface Order {
	readonly id: string;
	readonly program: string;
	readonly args: readonly string[];
	readonly limits?: Partial<ProgramLimits>;
	readonly network?: boolean;
	/** Gives it a proxy that goes where these let it. */
	readonly reach?: NetworkRules;
	readonly protectedPaths?: readonly string[];
	/** Files that the folder has before the program starts. */
	readonly given?: readonly string[];
	readonly cwd?: string;
	readonly stdinBytes?: number;
	readonly cancelAfterMs?: number;
	readonly maxOutputBytes?: number;
}

export interface Orders {
	readonly backend: "auto" | SandboxBackend;
	readonly required?: boolean;
	readonly launcher: string;
	readonly folder: string;
	readonly run: readonly Order[];
}

export interface Outcome {
	readonly id: string;
	readonly end?: ProgramEnd;
	readonly stdout?: string;
	readonly stdoutBytes?: number;
	readonly stderr?: string;
	/** What it reached by its proxy, and what is left of that. */
	readonly network?: Extract<NetworkOutcome, { hosts: unknown }> & { readonly socketsLeft: readonly string[] };
	/** What of the outside was reached. */
	readonly reached?: readonly string[];
	/** Processes that outlived the program. */
	readonly left: readonly string[];
	/** What is in the folder afterwards. */
	readonly files?: readonly string[];
	readonly error?: string;
	readonly message?: string;
}

export const isRoot = process.getuid?.() === 0;
export const users = isRoot ? (["root", "nobody"] as const) : (["nobody"] as const);
export type User = (typeof users)[number];

interface StartOptions {
	/** What the driver runs under, before and after it becomes the user. */
	readonly outer?: readonly string[];
	readonly wrapper?: readonly string[];
	/** Shell that runs first, to open descriptors. */
	readonly prelude?: string;
	readonly searchPath?: string | undefined;
}

/** A folder with all that a driver needs, which every user can reach: Node, the launcher, the driver itself. */
export async function layOutDriver() {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-sandbox-"));
	chmodSync(folder, 0o755);
	const node = path.join(folder, "node");
	const launcher = path.join(folder, "launcher");
	const driver = path.join(folder, "driver.mjs");
	copyFileSync(process.execPath, node);
	const built = buildLauncher();
	if ("missing" in built) throw new Error(built.missing);
	copyFileSync(built.path, launcher);
	for (const file of [node, launcher]) chmodSync(file, 0o755);
	const entry = path.join(root, "test/support/node/sandbox-driver.ts");
	await build({
		entryPoints: [entry],
		bundle: true,
		platform: "node",
		format: "esm",
		outfile: driver,
		logLevel: "error",
	});
	for (const user of users) {
		mkdirSync(path.join(folder, user));
		if (isRoot) execFileSync("chown", [user, path.join(folder, user)]);
		chmodSync(path.join(folder, user), 0o755);
	}
	return {
		folder,
		node,
		launcher,
		missing: path.join(folder, "no-launcher"),
		/** Starts the driver as a user, as `options` say. */
		start(user: User, orders: Omit<Orders, "folder">, options: StartOptions = {}) {
			const { outer = [], wrapper = [], prelude = "true", searchPath = process.env.PATH } = options;
			const own = path.join(folder, user);
			const change =
				user === "root" || !isRoot ? [] : ["/usr/bin/setpriv", "--reuid", user, "--regid", "65534", "--clear-groups"];
			const argv = [...outer, ...change, ...wrapper, node, driver, JSON.stringify({ ...orders, folder: own })];
			const env = { PATH: searchPath, CANARY: "canary-of-the-runner" };
			return spawn("/bin/bash", ["-c", `${prelude}; exec "$@"`, "bash", ...argv], {
				env,
				cwd: "/",
				stdio: ["ignore", "pipe", "pipe"],
			});
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
export type Driver = Awaited<ReturnType<typeof layOutDriver>>;

/** What a driver answered, when it has run everything. */
export async function answersOf(
	child: ChildProcess,
): Promise<{ report: SandboxReport; outcomes: Map<string, Outcome> }> {
	let complaint = "";
	child.stderr?.on("data", (bytes) => {
		complaint += String(bytes);
	});
	const outcomes = new Map<string, Outcome>();
	let report: SandboxReport | undefined;
	if (!child.stdout) throw new Error("The driver has no output.");
	for await (const line of createInterface({ input: child.stdout })) {
		const answer = JSON.parse(line) as { report?: SandboxReport; outcome?: Outcome };
		if (answer.report) report = answer.report;
		if (answer.outcome) outcomes.set(answer.outcome.id, answer.outcome);
	}
	if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
	if (!report || child.exitCode !== 0) throw new Error(`The driver failed: ${complaint}`);
	return { report, outcomes };
}
