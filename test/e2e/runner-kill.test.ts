import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually";
import { apiOf, type Call } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { shellCalls } from "../support/node/programs-world";
import {
	type AgentWorkspace,
	allowPrograms,
	findRunning,
	makeAgent,
	python,
	type ShellAnswer,
	untilGone,
	untilRunning,
} from "../support/node/runner-calls";
import { makeRunner, type RunnerProcess } from "../support/node/runner-process";

const listed = ["interpreter:python3", "nproc", "cat", "ls", "echo"];
const refused = { success: false, code: "unavailable", retryable: true };

let runner: RunnerProcess;
let home: Home;
let oryx: OryxProcess;
let call: Call;
let agents = 0;

beforeAll(async () => {
	runner = await makeRunner();
	await runner.start();
	home = await makeHome({ ORYX_RUNNER: "off", ORYX_RUNNER_URL: runner.url, ORYX_RUNNER_TOKEN: runner.token });
	oryx = await startOryx(home);
	call = apiOf(home);
	await allowPrograms(call, listed);
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
	await runner?.discard();
});

async function newAgent(): Promise<AgentWorkspace & { readonly name: string }> {
	const name = `agent-${++agents}`;
	return { name, ...(await makeAgent(home, call, name)) };
}

/** Every call ends well or, while no runner answers, with a refusal that may be tried again. */
async function untilServed({ shell }: AgentWorkspace, command: string): Promise<ShellAnswer> {
	return await eventually(
		async () => {
			const answer = await shell(command);
			if (!answer.success) expect(answer).toMatchObject(refused);
			return answer;
		},
		({ success }) => success,
	);
}

describe("a runner that is killed", { timeout: 120_000 }, () => {
	it("while a program runs has changed nothing, leaves nothing behind, and serves when it is back", async () => {
		const agent = await newAgent();
		const mark = randomUUID();
		await agent.put("f", "before");
		const code = `import subprocess, sys, time; open("f", "w").write("after"); subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], start_new_session=True); time.sleep(600)`;
		const answered = agent.shell(`echo x > g; python3 -c '${code}' ${mark}`);
		await eventually(
			() => findRunning(`time.sleep(600)\0${mark}`),
			(pids) => pids.length > 1,
		);
		await runner.kill();
		const answer = await answered;
		expect(answer).toMatchObject(refused);
		expect(answer.content).toContain("Nothing was changed");
		expect([String(await agent.read("f")), await agent.read("g")]).toEqual(["before", undefined]);
		await untilGone(mark);

		const down = await agent.shell("nproc");
		expect(down).toMatchObject(refused);
		await runner.start();
		const { content } = await untilServed(agent, python('import os; print(os.listdir(), open("f").read())'));
		expect(content).toContain("['f'] before");
		expect((await agent.shell("nproc")).success).toBe(true);
	});

	it("while files travel to it has run nothing, and runs when it is back", async () => {
		const agent = await newAgent();
		await putLarge(agent);
		const answered = agent.shell(python('open("mine", "w"); print(len(open("large-1", "rb").read()))'));
		await eventually(
			() => globSync("mirrors/*/sent/*", { cwd: runner.stateFolder }).length,
			(count) => count > 10,
		);
		await runner.kill();
		expect(await answered).toMatchObject(refused);
		expect(await agent.read("mine")).toBeUndefined();
		await runner.start();
		const { content } = await untilServed(agent, python('open("mine", "w"); print(len(open("large-1", "rb").read()))'));
		expect(content).toContain(String(largeBytes));
		expect(await agent.read("mine")).toHaveLength(0);
	});

	it("while files travel back has changed all of them or none", async () => {
		const agent = await newAgent();
		const code = `import os, sys; os.makedirs("d", exist_ok=True); [open(f"d/{n}", "wb").write(os.urandom(999_999)) for n in range(40)]; open("mark", "w").write(sys.argv[1])`;
		const outcomes: boolean[] = [];
		let mark = "";
		for (const afterMs of [0, 40, 80, 150, 250, 400, 700]) {
			const next = randomUUID();
			const answered = agent.shell(`python3 -c '${code}' ${next}`);
			await untilRunning(next);
			await untilGone(next);
			await sleep(afterMs);
			await runner.kill();
			const answer = await answered;
			outcomes.push(answer.success);
			if (answer.success) mark = next;
			else expect(answer).toMatchObject(refused);
			const { content } = await agent.shell("ls d; cat mark");
			expect(content.includes("39\n")).toBe(mark !== "");
			expect(content.endsWith(mark)).toBe(true);
			await runner.start();
		}
		expect(outcomes).toContain(false);
	});

	it("right after an answer has lost nothing of it", async () => {
		const agent = await newAgent();
		for (let round = 1; round <= 3; round++) {
			const code = `n = int(open("n").read()) if ${round} > 1 else 0; open("n", "w").write(str(n + 1))`;
			expect(await untilServed(agent, python(code))).toMatchObject({ success: true });
			await runner.kill();
			expect(String(await agent.read("n"))).toBe(String(round));
			await runner.start();
		}
	});
});

describe("a Worker that is killed", { timeout: 120_000 }, () => {
	it("while a program runs leaves none behind, and the turn runs it once more", async () => {
		const agent = await newAgent();
		const mark = randomUUID();
		await agent.put("n", "0");
		const code = `n = int(open("n").read()); open("n", "w").write(str(n + 1)); import time; time.sleep(4)`;
		const message = shellCalls([`python3 -c '${code}' ${mark}`]);
		const turn = { message, sessionId: `s-${mark}` };
		const { turnId } = await call<{ turnId: string }>("POST", `/agents/${agent.name}/turns`, turn, {
			Prefer: "respond-async",
		});
		await untilRunning(mark);
		await oryx.kill();
		await untilGone(mark);

		oryx = await startOryx(home);
		const { status } = await eventually(
			() => call<{ status: string }>("GET", `/turns/${turnId}`),
			(view) => view.status !== "running",
		);
		expect(status).toBe("completed");
		expect(String(await agent.read("n"))).toBe("1");
		expect(findRunning(mark)).toEqual([]);
	});
});

describe("npm start", { timeout: 120_000 }, () => {
	it("starts a runner again that died, and the next call finds it", async () => {
		const own = await makeHome();
		const started = await startOryx(own);
		try {
			const api = apiOf(own);
			await allowPrograms(api, listed);
			const agent = await makeAgent(own, api, "again");
			for (let round = 0; round < 3; round++) {
				expect(await untilServed(agent, "nproc")).toMatchObject({ success: true });
				const mine = started.survivors();
				const runners = findRunning("dist/runner/server.mjs").filter((pid) => mine.includes(pid));
				expect(runners).toHaveLength(1);
				for (const pid of runners) process.kill(pid, "SIGKILL");
			}
			expect(await untilServed(agent, "nproc")).toMatchObject({ success: true });
			expect(started.output()).toContain("Problem: The runner ended (SIGKILL) and is started again.");
			expect(await started.stop("SIGTERM")).toBe(0);
			expect(started.survivors()).toEqual([]);
		} finally {
			await started.kill();
			own.discard();
		}
	});
});

const largeBytes = 4_000_000;

/** Forty megabytes that share nothing, so that all of them must travel. */
async function putLarge({ put }: AgentWorkspace): Promise<void> {
	for (let n = 1; n <= 10; n++) {
		const bytes = new Uint8Array(largeBytes);
		for (let at = 0; at < bytes.length; at += 4_096) crypto.getRandomValues(bytes.subarray(at, at + 64));
		await put(`large-${n}`, bytes);
	}
}
