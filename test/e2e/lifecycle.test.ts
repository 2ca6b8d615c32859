import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { apiOf } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { workerProcesses } from "../support/node/resident-memory";

let home: Home | undefined;
let oryx: OryxProcess | undefined;

afterEach(async () => {
	await oryx?.kill();
	home?.discard();
});

describe("npm start", () => {
	it.each(["SIGTERM", "SIGINT"] as const)(
		"ends every process that it started at %s",
		{ timeout: 120_000 },
		async (signal) => {
			home = await makeHome();
			oryx = await startOryx(home);
			expect(oryx.survivors().length).toBeGreaterThan(3);

			expect(await oryx.stop(signal)).toBe(0);
			expect(oryx.survivors()).toEqual([]);
		},
	);

	it("finds what the start before it kept, though that was killed", { timeout: 120_000 }, async () => {
		home = await makeHome();
		oryx = await startOryx(home);
		await apiOf(home)("POST", "/agents", { name: "keeper" });
		await oryx.kill();

		oryx = await startOryx(home);
		expect(await apiOf(home)("GET", "/agents/keeper")).toMatchObject({ name: "keeper" });
	});

	it("tells no secret to others: not on a command line, not on the screen, not in a readable file", {
		timeout: 120_000,
	}, async () => {
		home = await makeHome({ OPENAI_API_KEY: "sk-e2e-not-to-be-seen" });
		oryx = await startOryx(home);
		const secrets = [home.token, home.environment.ORYX_MASTER_KEY ?? "", "sk-e2e-not-to-be-seen"];
		const seen = [oryx.output(), ...oryx.commandLines()].join("\n");
		expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
		const file = statSync(path.join(home.environment.ORYX_STATE_DIR ?? "", "worker.env"));
		expect(file.mode & 0o777).toBe(0o600);
	});

	it.runIf(process.platform === "linux")(
		"lets no Worker take the memory of the machine",
		{ timeout: 120_000 },
		async () => {
			home = await makeHome();
			oryx = await startOryx(home);
			const workers = workerProcesses(oryx.survivors());
			const limits = workers.map(
				(pid) => /^Max data size +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1],
			);
			expect(limits.length).toBeGreaterThan(0);
			expect(new Set(limits)).toEqual(new Set([String(4 * 1_024 ** 3)]));
		},
	);

	it("ends with the reason when the Worker cannot serve", { timeout: 120_000 }, async () => {
		home = await makeHome({ ORYX_MASTER_KEY: "too-short" });
		const startedAt = Date.now();
		await expect(startOryx(home)).rejects.toThrow(/cannot serve. ORYX_MASTER_KEY must be 32 bytes in base64/);
		expect(Date.now() - startedAt).toBeLessThan(60_000);
	});

	it("says what to do when the port is taken", { timeout: 120_000 }, async () => {
		home = await makeHome();
		oryx = await startOryx(home);
		await expect(startOryx(home)).rejects.toThrow(/Port \d+ is in use/);
	});
});
