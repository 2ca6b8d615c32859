import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ProgramsWorld, startProgramsWorld } from "../support/node/programs-world";
import { python, untilRunning } from "../support/node/runner-calls";

let world: ProgramsWorld;
beforeAll(async () => {
	world = await startProgramsWorld();
}, 120_000);
afterAll(() => world?.close());

const csv = "tide,metres\nflood,5\nebb,1\nspring,7\nneap,2\n";
/** Turns rows round, so that they sort by height. */
const script = `import csv, sys
for row in list(csv.reader(sys.stdin))[1:]:
    print(row[1], row[0])
`;

describe("a command line with real programs", { timeout: 60_000 }, () => {
	it("keeps a repository and pipes a script, from a turn", async () => {
		const agent = await world.newAgent();
		await agent.put("script.py", script);
		await agent.put("in.csv", csv);
		const commands = [
			"git init && git add . && git commit -m 'First tide'",
			"python3 script.py < in.csv | sort | head -2 > out.txt; cat out.txt",
			"git add . && git commit -q -m Second && git log --format=%s",
		];
		const view = await world.turnOf(agent.name, commands);
		const said = view.toolCalls.map(({ result }) => result.content);
		expect(view.status, said.join("\n")).toBe("completed");
		const health = await (await fetch(`${world.address}/health`)).json();
		const held = view.toolCalls.map(({ result }) => result.meta.sandbox);
		expect(health).toMatchObject({ runner: { state: "ready" }, sandbox: { backend: held[0] } });
		expect(new Set(held).size).toBe(1);
		expect(said[0]).toContain("First tide\n 2 files changed");
		expect(said[1]).toContain("--- stdout ---\n1 ebb\n2 neap\n");
		expect(said[2]).toContain("--- stdout ---\nSecond\nFirst tide");
		expect(String(await agent.read("out.txt"))).toBe("1 ebb\n2 neap\n");
		expect(String(await agent.read(".git/HEAD"))).toBe("ref: refs/heads/main\n");
	});

	it("does the same from a direct call", async () => {
		const { shell, put, read } = await world.newAgent();
		await put("script.py", script);
		await put("in.csv", csv);
		const { content } = await shell(
			"git init && git add . && git commit -m One && python3 script.py < in.csv | sort | head -1",
		);
		expect(content).toContain("exit code 0\n");
		expect(content).toContain("2 files changed");
		expect(content).toContain("\n1 ebb\n");
		expect(String(await read(".git/COMMIT_EDITMSG"))).toBe("One\n");
	});

	it.each([
		["at the beginning of a pipeline", `${python("print(3); print(1)")} | sort`, "1\n3"],
		["in the middle", `seq 3 | ${python("import sys; print(sum(map(int, sys.stdin)))")} | cat`, "6"],
		["at the end", `seq 3 | ${python("import sys; print(sum(map(int, sys.stdin)))")}`, "6"],
		["twice in one", `${python("print(21)")} | ${python("print(2 * int(input()))")}`, "42"],
		["in a substitution", `echo "<$(${python("print(6 * 7)")})>"`, "<42>"],
		["in a loop", `for i in 1 2; do ${python("import sys; print(sys.argv)")} $i; done`, "['-c', '1']\n['-c', '2']"],
		["by xargs", `echo a b | xargs ${python("import sys; print(sys.argv[1:])")}`, "['a', 'b']"],
		["by xargs at once", `echo a b | xargs -P 2 -n 1 ${python('import sys; open(sys.argv[1], "w")')}; ls`, "a\nb"],
		["by find", "mkdir d; echo x > d/a; find d -type f -exec cksum {} ';'", "2192966820 2 d/a"],
		["with what it reads from a file of its own", "echo hi > f; python3 - < /dev/null; cksum f", "1479881546 3 f"],
		["in a folder below", `mkdir -p d/e; cd d/e; ${python("import os; print(os.getcwd())")}`, "/workspace/d/e"],
		["where its exit code counts", `${python("raise SystemExit(3)")} || echo "failed: $?"`, "failed: 3"],
		["with what it says aside", `${python('import sys; print("aside", file=sys.stderr)')} 2>&1 | tr a-z A-Z`, "ASIDE"],
	])("runs one %s", async (_, command, expected) => {
		const { shell } = await world.newAgent();
		const { content } = await shell(command);
		expect(content.replace(/\n\[Changed: .*\]$/, "")).toBe(`exit code 0\n--- stdout ---\n${expected}`);
	});

	it("hands every byte on, in and out", async () => {
		const { shell, put, read } = await world.newAgent();
		const all = Uint8Array.from({ length: 262_144 }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
		await put("all.bin", all);
		const copy = python("import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)");
		const { content } = await shell(`${copy} < all.bin > copy.bin; cat all.bin | ${copy} | cat > piped.bin`);
		expect(content).toContain("exit code 0");
		expect(await read("copy.bin")).toEqual(Buffer.from(all));
		expect(await read("piped.bin")).toEqual(Buffer.from(all));
	});

	it("runs as often as asked for at once on one workspace, one after the other", async () => {
		const { shell, read, put } = await world.newAgent();
		await put("n", "0");
		const add = python('n = int(open("n").read()); import time; time.sleep(0.2); open("n", "w").write(str(n + 1))');
		const answers = await Promise.all([shell(add), shell(add), shell(add)]);
		expect(answers.map(({ content }) => content)).toEqual(Array(3).fill(expect.stringContaining("exit code 0")));
		expect(String(await read("n"))).toBe("3");
		const apart = await Promise.all(
			["a", "b", "c"].map((name) => shell(python(`open("${name}", "w").write("${name}")`))),
		);
		expect(apart.map(({ success }) => success)).toEqual([true, true, true]);
		for (const name of ["a", "b", "c"]) expect(String(await read(name))).toBe(name);
	});

	it("runs in two workspaces at once", async () => {
		const mark = randomUUID();
		const [one, two] = await Promise.all([world.newAgent(), world.newAgent()]);
		const wait = `import sys, time; time.sleep(2); open("mine", "w").write(sys.argv[1][-1])`;
		const calls = [one, two].map(({ shell }, at) => shell(`${python(wait)} ${mark}-${at}`));
		await untilRunning(`${mark}-0`);
		await untilRunning(`${mark}-1`);
		expect((await Promise.all(calls)).map(({ success }) => success)).toEqual([true, true]);
		expect(String(await one.read("mine"))).toBe("0");
		expect(String(await two.read("mine"))).toBe("1");
	});

	it("changes only the job where changes are staged", async () => {
		const agent = await world.newAgent({ write_mode: "staged" });
		await agent.put("f", "before");
		const command = python('open("f", "w").write("after"); open("new", "w").write("new")');
		const view = await world.turnOf(agent.name, [command]);
		expect(view.toolCalls[0]?.result.success).toBe(true);
		expect(String(await agent.read("f"))).toBe("before");
		expect(await agent.read("new")).toBeUndefined();
		const { jobId = "" } = view;
		const { content } = await agent.shell(python('print(open("f").read(), open("new").read())'), { jobId });
		expect(content).toContain("after new");
		const { content: base } = await agent.shell(python('import os; print(open("f").read(), os.listdir())'));
		expect(base).toContain("before ['f']");
		await world.call("POST", `/workspaces/${agent.name}/jobs/${jobId}/commit`);
		expect(String(await agent.read("f"))).toBe("after");
		const { content: now } = await agent.shell(python('print(open("f").read(), open("new").read())'));
		expect(now).toContain("after new");
	});
});

describe("without a runner", { timeout: 120_000 }, () => {
	it("says of programs that they need one, and serves everything else", async () => {
		const alone = await startProgramsWorld({ ORYX_RUNNER: "off" });
		onTestFinished(() => alone.close());
		const { shell, read } = await alone.newAgent();
		const answer = await shell("echo x > f; nproc");
		expect(answer).toMatchObject({ success: false, code: "unavailable", meta: { reason: "needs_runner" } });
		expect(answer.content).toMatch(/"nproc" needs the runner.*npm start.*Nothing was changed/s);
		expect(await read("f")).toBeUndefined();
		expect((await shell("echo x > f; cat f | wc -c")).content).toContain("\n2");
		expect(alone.output()).toContain("runner   off");
	});
});
