import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environmentNames, type SandboxReport } from "../../../src/shared/runner";
import {
	answersOf,
	type Driver,
	isRoot,
	layOutDriver,
	type Order,
	type Outcome,
	users,
} from "../../support/node/sandbox-orders";

let driver: Driver;
beforeAll(async () => {
	driver = await layOutDriver();
});
afterAll(() => driver.remove());

const backends = [
	{ name: "bubblewrap", backend: "bubblewrap", hasLauncher: true, users },
	{ name: "bubblewrap without the launcher", backend: "bubblewrap", hasLauncher: false, users },
	{ name: "namespaces", backend: "namespaces", hasLauncher: true, users },
	{ name: "landlock", backend: "landlock", hasLauncher: true, users },
	{ name: "firejail", backend: "firejail", hasLauncher: true, users: isRoot ? (["root"] as const) : [] },
	{ name: "none", backend: "none", hasLauncher: true, users },
	{ name: "none without the launcher", backend: "none", hasLauncher: false, users: ["nobody"] },
] as const;

const oddArguments = ["", "a b", "'", '"', "$HOME", "`id`", "*", "\\", "--", "-x", "é\n…", "@file", ";"];
const ignoresTerm = "trap '' TERM; while :; do sleep 0.1; done; : $TOKEN";
const hog = "held = []\nwhile True: held.append(b'x' * 4_000_000) # $TOKEN";
const sharedHog =
	"import mmap\nheld = mmap.mmap(-1, 2 << 30)\nfor at in range(0, 2 << 30, 4096): held[at] = 1 # $TOKEN";
const forkedHog =
	"import os\nheld = b'x' * 60_000_000\nfor _ in range(6): os.fork()\nheld = held + b'y'\nwhile True: pass # $TOKEN";

const orders: readonly Order[] = [
	{ id: "environment", program: "env", args: [] },
	{ id: "arguments", program: "printf", args: ["[%s]", ...oddArguments] },
	{ id: "code", program: "sh", args: ["-c", "exit 42"] },
	{ id: "signal", program: "sh", args: ["-c", "kill -SEGV $$"] },
	{ id: "missing", program: "no-such-program", args: [] },
	{ id: "cwd", program: "pwd", args: [], cwd: "" },
	{ id: "no-cwd", program: "pwd", args: [], cwd: "not/there" },
	{
		id: "devices",
		program: "sh",
		args: ["-c", "cat /dev/stdin | wc -c; echo err > /dev/stderr; echo out > /dev/stdout"],
		stdinBytes: 1_048_576,
	},
	{
		id: "files",
		program: "sh",
		args: ["-c", 'echo x > made; echo y > "$TMPDIR/t" && cat "$TMPDIR/t" && cd "$HOME" && cat made'],
	},
	{ id: "unread", program: "sh", args: ["-c", "exec <&-; echo read nothing"], stdinBytes: 5_000_000 },
	{ id: "read", program: "wc", args: ["-c"], stdinBytes: 5_046_272 },
	{ id: "both", program: "bash", args: ["-c", "yes out | head -c 3M & yes err | head -c 2M >&2; wait"] },
	{ id: "stubborn", program: "bash", args: ["-c", ignoresTerm], limits: { timeoutMs: 300 } },
	{
		id: "polite",
		program: "bash",
		args: ["-c", "trap 'echo bye; exit 5' TERM; sleep 60 & wait"],
		limits: { timeoutMs: 500 },
	},
	{ id: "cancelled", program: "sh", args: ["-c", "sleep 60; : $TOKEN"], cancelAfterMs: 300 },
	{ id: "hog", program: "python3", args: ["-c", hog] },
	{ id: "shared-hog", program: "python3", args: ["-c", sharedHog] },
	{ id: "forked-hog", program: "python3", args: ["-c", forkedHog] },
	{ id: "open-files", program: "python3", args: ["-c", "import os\nfor n in range(300): os.dup(0)"] },
	{
		id: "protected",
		program: "bash",
		args: [
			"-c",
			"for file in there/locked there/absent new/deep/absent folder/x free; do echo changed > $file; done; rm -r folder; mv there moved; ls",
		],
		given: ["there/locked", "folder/x"],
		protectedPaths: ["there/locked", "there/absent", "new/deep/absent", "folder"],
	},
	{ id: "python", program: "python3", args: ["-c", "import json, os; print(os.cpu_count() > 0)"] },
	{ id: "node", program: "node", args: ["-e", "require('os').networkInterfaces(); console.log(6 * 7)"] },
	{ id: "git", program: "git", args: ["init", "-q", "repository"] },
	{
		id: "cpu",
		program: "python3",
		args: [
			"-c",
			"import time\nbegin = time.time()\nwhile time.time() < begin + 1: pass\nprint(time.process_time() / (time.time() - begin))",
		],
		limits: { maxCpuPercent: 25 },
	},
];

/** What takes long is run where it matters. */
function isRunIn({
	id,
	backend,
	user,
	hasLauncher,
}: Record<"id" | "backend" | "user", string> & { hasLauncher: boolean }) {
	if (id === "forked-hog") return backend === "landlock";
	if (id === "cpu") return hasLauncher && user === "root";
	return hasLauncher || !id.includes("hog");
}

function hogs({ backend, hasLauncher }: { backend: string; hasLauncher: boolean }): string[] {
	if (!hasLauncher) return [];
	return backend === "landlock" ? ["hog", "shared-hog", "forked-hog"] : ["hog", "shared-hog"];
}

/** For what a backend does not promise: a test that is skipped counts as one that was left out. */
const whereTrue = (isPromised: boolean) => (isPromised ? it : () => {});

for (const { name, backend, hasLauncher, users: as } of backends) {
	describe.each(as)(`a program in ${name} as %s`, (user) => {
		let outcomes: ReadonlyMap<string, Outcome>;
		let report: SandboxReport;
		beforeAll(async () => {
			const launcher = hasLauncher ? driver.launcher : driver.missing;
			const run = orders.filter(({ id }) => isRunIn({ id, backend, user, hasLauncher }));
			const answers = await answersOf(driver.start(user, { backend, launcher, required: backend !== "none", run }));
			outcomes = answers.outcomes;
			report = answers.report;
		}, 60_000);
		const outcome = (id: string): Outcome => {
			const found = outcomes.get(id);
			if (!found) throw new Error(`Nothing of ${id}.`);
			return found;
		};

		it("has exactly the nine variables", () => {
			const { stdout = "" } = outcome("environment");
			const names = stdout
				.trim()
				.split("\n")
				.map((line) => line.split("=")[0]);
			expect(names.sort()).toEqual([...environmentNames].sort());
		});

		it("gets its arguments as they are", () => {
			const bytes = Buffer.from(outcome("arguments").stdout ?? "", "latin1");
			expect(bytes.toString()).toBe(oddArguments.map((argument) => `[${argument}]`).join(""));
		});

		it("ends with its code or signal", () => {
			expect(outcome("code").end).toMatchObject({ exitCode: 42, backend });
			const { exitCode, signal } = outcome("signal").end ?? {};
			expect(hasLauncher ? signal : (signal ?? exitCode)).toEqual(hasLauncher ? "SIGSEGV" : expect.anything());
		});

		it("is told missing, and nothing was started", () => {
			expect(outcome("missing")).toMatchObject({ error: "ProgramMissing" });
			expect(outcome("missing").message).toBe("The runner has no program no-such-program.");
		});

		it("starts in its folder, which it and its temporary folder alone are to write to", () => {
			expect(outcome("cwd").stdout).toMatch(backend === "bubblewrap" ? /^\/workspace\n$/ : /files\n$/);
			expect(outcome("files")).toMatchObject({ stdout: "y\nx\n", end: { exitCode: 0 } });
			expect(outcome("files").files).toEqual(["made"]);
		});

		it("does not start in a folder that is not there", () => {
			const { error, end } = outcome("no-cwd");
			expect(hasLauncher ? error : (end?.exitCode ?? 0) > 0).toBe(hasLauncher ? "ProgramNotStarted" : true);
		});

		it("need not read its input, and may read all of it", () => {
			expect(outcome("unread")).toMatchObject({ stdout: "read nothing\n", end: { exitCode: 0 } });
			expect(outcome("read").stdout?.trim()).toBe("5046272");
		});

		whereTrue(hasLauncher)("may open its streams again by their names", () => {
			expect(outcome("devices")).toMatchObject({ stdout: "1048576\nout\n", stderr: "err\n", end: { exitCode: 0 } });
		});

		it("never waits for a reader, and has the beginning of each stream kept", () => {
			const { end, stdoutBytes, stderr } = outcome("both");
			const kept = 1_048_576;
			expect(end).toMatchObject({
				exitCode: 0,
				droppedStdoutBytes: 3 * kept - kept,
				droppedStderrBytes: 2 * kept - kept,
			});
			expect(stdoutBytes).toBe(kept);
			expect(stderr?.startsWith("err\nerr\n")).toBe(true);
		});

		it("is ended at its deadline, also when it ignores SIGTERM", () => {
			expect(outcome("stubborn").end).toMatchObject({ endedBy: "timeout" });
			expect(outcome("stubborn").left).toEqual([]);
		});

		whereTrue(hasLauncher)("may say good-bye at its deadline", () => {
			expect(outcome("polite")).toMatchObject({ stdout: "bye\n", end: { endedBy: "timeout", exitCode: 5 } });
		});

		it("is ended when its caller cancels", () => {
			expect(outcome("cancelled").end).toMatchObject({ endedBy: "cancelled" });
			expect(outcome("cancelled").left).toEqual([]);
		});

		it.each(hogs({ backend, hasLauncher }))("is ended with its kin as a memory %s", (id) => {
			const { end, left } = outcome(id);
			expect(end).toMatchObject({ endedBy: "memory_limit", signal: "SIGKILL" });
			expect(end?.peakMemoryBytes).toBeGreaterThan(256 * 2 ** 20);
			expect(left).toEqual([]);
		});

		whereTrue(backend === "bubblewrap")(
			"changes no protected path and makes none, and nothing is left of the protection",
			() => {
				const { stderr, files } = outcome("protected");
				expect(
					stderr?.match(/(Read-only file system|Permission denied|Device or resource busy)/g)?.length,
				).toBeGreaterThanOrEqual(6);
				expect(files).toEqual(["folder", "folder/x", "free", "there", "there/locked"]);
			},
		);

		it("opens no more files than it may", () => {
			expect(outcome("open-files").stderr).toContain("Too many open files");
		});

		whereTrue(hasLauncher)("is measured", () => {
			const { cpuMs, peakMemoryBytes, durationMs } = outcome("python").end ?? {};
			expect(cpuMs).toBeGreaterThan(0);
			expect(durationMs).toBeGreaterThan(0);
			expect(peakMemoryBytes).toBeGreaterThan(2 ** 20);
		});

		it("may be python, node or git", () => {
			expect(outcome("python").stdout).toBe("True\n");
			expect(outcome("node")).toMatchObject({ stdout: "42\n", stderr: "" });
			expect(outcome("git")).toMatchObject({ stderr: "", end: { exitCode: 0 } });
		});

		whereTrue(hasLauncher && user === "root")("gets its share of a processor", () => {
			const isReported = report.unsupportedLimits.some(({ limit }) => limit === "maxCpuPercent");
			expect(isReported || Number(outcome("cpu").stdout) < 0.6).toBe(true);
		});
	});
}

/** Processes with `token` in their arguments. */
function processesOf(token: string): string[] {
	return readdirSync("/proc").filter((pid) => {
		try {
			return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(token);
		} catch {
			return false;
		}
	});
}

describe("a runner that is killed", () => {
	it.each(backends.filter(({ hasLauncher, backend }) => hasLauncher || backend === "bubblewrap"))(
		"leaves nothing of a program in $name",
		async ({ backend, hasLauncher, users: as }) => {
			for (const user of as) {
				const launcher = hasLauncher ? driver.launcher : driver.missing;
				const script = "setsid bash -c 'sleep 600; : $TOKEN' & trap '' TERM; while :; do sleep 1; done; : $TOKEN";
				const run = [{ id: "long", program: "bash", args: ["-c", script], limits: { timeoutMs: 60_000 } }];
				const child = driver.start(user, { backend, launcher, required: backend !== "none", run });
				let token = "";
				for await (const line of createInterface({ input: child.stdout })) {
					token = (JSON.parse(line) as { token?: string }).token ?? "";
					if (token) break;
				}
				await expect.poll(() => processesOf(`sleep 600; : ${token}`).length).toBeGreaterThan(1);
				child.kill("SIGKILL");
				await expect.poll(() => processesOf(token), { timeout: 10_000 }).toEqual([]);
				await sleep(50);
				expect(processesOf(token)).toEqual([]);
			}
		},
	);
});
