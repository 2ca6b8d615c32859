import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { maxBundleBytes, measureBundle } from "../scripts/bundle.ts";
import { freePort } from "../scripts/free-port.ts";
import { root } from "../scripts/settings.ts";
import type { Measure } from "./measure.ts";

export async function measureBundleAndStart(): Promise<Measure[]> {
	const stateDir = mkdtempSync(path.join(tmpdir(), "oryx-bench-"));
	try {
		return [
			{
				name: "bundle, gzip",
				value: Math.round((await measureBundle()) / 1000),
				unit: "KB",
				atMost: maxBundleBytes / 1000,
			},
			{ name: "npm start to the first answer, fresh state", value: await measureStart(stateDir), unit: "ms" },
			{ name: "npm start to the first answer, again", value: await measureStart(stateDir), unit: "ms" },
		];
	} finally {
		rmSync(stateDir, { recursive: true, force: true });
	}
}

/** Milliseconds from the command to its first answered request; the process is stopped after that. */
async function measureStart(stateDir: string): Promise<number> {
	const port = await freePort();
	const started = performance.now();
	const child = spawn("npm", ["start"], {
		cwd: root,
		stdio: ["ignore", "pipe", "inherit"],
		env: {
			...process.env,
			PORT: String(port),
			ORYX_STATE_DIR: stateDir,
			ORYX_ADMIN_TOKEN: randomBytes(16).toString("hex"),
			ORYX_MASTER_KEY: randomBytes(32).toString("base64"),
		},
	});
	let said = "";
	for await (const text of child.stdout.setEncoding("utf8")) {
		said += text;
		if (said.includes("is ready")) break;
	}
	const took = performance.now() - started;
	child.kill("SIGTERM");
	if (child.exitCode === null) await once(child, "exit");
	if (!said.includes("is ready")) throw new Error(`npm start did not get ready:\n${said}`);
	return Math.round(took);
}
