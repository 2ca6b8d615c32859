import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { allowPrograms, findRunning, makeAgent, untilGone, untilRunning } from "../support/node/runner-calls";

interface TurnView {
	readonly status: string;
	readonly jobId?: string;
	readonly toolCalls: readonly {
		readonly result: {
			readonly success: boolean;
			readonly content: string;
			readonly meta: { readonly sandbox?: string };
		};
	}[];
}

const builtIn = [
	"cat",
	"cd",
	"echo",
	"find",
	"head",
	"ls",
	"mkdir",
	"rm",
	"seq",
	"sha256sum",
	"sort",
	"tr",
	"wc",
	"xargs",
];
const programs = ["interpreter:git", "interpreter:python3", "nproc", "cksum", "no-such-program"];

let home: Home;
let oryx: OryxProcess;
let call: Call;
let agents = 0;

beforeAll(async () => {
	home = await makeHome();
	oryx = await startOryx(home);
	call = apiOf(home);
	await allowPrograms(call, [...builtIn, ...programs]);
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
});

/** An agent whose workspace nobody else uses. */
async function newAgent(settings: object = {}) {
	const name = `agent-${++agents}`;
	return { name, ...(await makeAgent(home, call, name, settings)) };
}

const csv = "tide,metres\nflood,5\nebb,1\nspring,7\nneap,2\n";
/** Turns rows round, so that they sort by height. */
const script = `import csv, sys
for row in list(csv.reader(sys.stdin))[1:]:
    print(row[1], row[0])
`;
const python = (code: string): string => `python3 -c '${code}'`;

describe("a command line with real programs", { timeout: 60_000 }, () => {
	it("keeps a repository and pipes a script, from a turn", async () => {
		const agent = await newAgent();
		await agent.put("script.py", script);
		await agent.put("in.csv", csv);
		const commands = [
			"git init && git add . && git commit -m 'First tide'",
			"python3 script.py < in.csv | sort | head -2 > out.txt; cat out.txt",
			"git add . && git commit -q -m Second && git log --format=%s",
		];
		const message = commands.map((command) => `/shell ${JSON.stringify({ command })}`).join("\n");
		const view = await call<TurnView>("POST", `/agents/${agent.name}/turns`, { message });
		const said = view.toolCalls.map(({ result }) => result.content);
		expect(view.status, said.join("\n")).toBe("completed");
		const health = await (await fetch(`${home.address}/health`)).json();
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
		const { shell, put, read } = await newAgent();
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
		const { shell } = await newAgent();
		const { content } = await shell(command);
		expect(content.replace(/\n\[Changed: .*\]$/, "")).toBe(`exit code 0\n--- stdout ---\n${expected}`);
	});

	it("hands every byte on, in and out", async () => {
		const { shell, put, read } = await newAgent();
		const all = Uint8Array.from({ length: 262_144 }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
		await put("all.bin", all);
		const copy = python("import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)");
		const { content } = await shell(`${copy} < all.bin > copy.bin; cat all.bin | ${copy} | cat > piped.bin`);
		expect(content).toContain("exit code 0");
		expect(await read("copy.bin")).toEqual(Buffer.from(all));
		expect(await read("piped.bin")).toEqual(Buffer.from(all));
	});

	it("runs as often as asked for at once on one workspace, one after the other", async () => {
		const { shell, read, put } = await newAgent();
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
		const [one, two] = await Promise.all([newAgent(), newAgent()]);
		const wait = `import sys, time; time.sleep(2); open("mine", "w").write(sys.argv[1][-1])`;
		const calls = [one, two].map(({ shell }, at) => shell(`${python(wait)} ${mark}-${at}`));
		await untilRunning(`${mark}-0`);
		await untilRunning(`${mark}-1`);
		expect((await Promise.all(calls)).map(({ success }) => success)).toEqual([true, true]);
		expect(String(await one.read("mine"))).toBe("0");
		expect(String(await two.read("mine"))).toBe("1");
	});

	it("changes only the job where changes are staged", async () => {
		const agent = await newAgent({ write_mode: "staged" });
		await agent.put("f", "before");
		const command = python('open("f", "w").write("after"); open("new", "w").write("new")');
		const view = await call<TurnView>("POST", `/agents/${agent.name}/turns`, {
			message: `/shell ${JSON.stringify({ command })}`,
		});
		expect(view.toolCalls[0]?.result.success).toBe(true);
		expect(String(await agent.read("f"))).toBe("before");
		expect(await agent.read("new")).toBeUndefined();
		const { jobId = "" } = view;
		const { content } = await agent.shell(python('print(open("f").read(), open("new").read())'), { jobId });
		expect(content).toContain("after new");
		const { content: base } = await agent.shell(python('import os; print(open("f").read(), os.listdir())'));
		expect(base).toContain("before ['f']");
		await call("POST", `/workspaces/${agent.name}/jobs/${jobId}/commit`);
		expect(String(await agent.read("f"))).toBe("after");
		const { content: now } = await agent.shell(python('print(open("f").read(), open("new").read())'));
		expect(now).toContain("after new");
	});
});

describe("a program that", { timeout: 60_000 }, () => {
	it("fails is an exit code, and what it changed counts", async () => {
		const { shell, read } = await newAgent();
		const { success, content, meta } = await shell(python('open("f", "w").write("x"); raise SystemExit(7)'));
		expect({ success, exitCode: meta.exitCode }).toEqual({ success: true, exitCode: 7 });
		expect(content).toContain("exit code 7");
		expect(String(await read("f"))).toBe("x");
	});

	it("is ended by a signal says by which", async () => {
		const { shell } = await newAgent();
		const { content } = await shell(python("import os; os.kill(os.getpid(), 11)"));
		expect(content).toContain("exit code 139");
		expect(content).toContain("python3 was ended by SIGSEGV");
	});

	it("is missing gives the line up", async () => {
		const { shell, read } = await newAgent();
		const answer = await shell("echo x > f; no-such-program --help; echo y > g");
		expect(answer).toMatchObject({ success: false, code: "unavailable", meta: { reason: "program_missing" } });
		expect(answer.content).toContain('no program "no-such-program"');
		expect([await read("f"), await read("g")]).toEqual([undefined, undefined]);
	});

	it("is not listed, or not marked as an interpreter, gives the line up", async () => {
		const { shell, read } = await newAgent();
		expect(await shell("echo x > f; perl -e 1")).toMatchObject({ success: false, code: "not_listed" });
		await call("POST", "/sandbox/whitelist/SHELL", { value: "perl" });
		const answer = await shell("echo x > f; perl -e 1");
		expect(answer).toMatchObject({ success: false, meta: { reason: "interpreter_unmarked" } });
		expect(await read("f")).toBeUndefined();
	});

	it("prints 5 MB is cut at one, and says so", async () => {
		const { shell } = await newAgent();
		const { content } = await shell(`${python('print("x" * 4_999_999)')} | wc -c`);
		expect(content).toContain("\n1048576\n");
		expect(content).toContain(`${5_000_000 - 1_048_576} bytes of what python3 printed are left out.`);
	});

	it("reads nothing of a large input ends all the same", async () => {
		const { shell, put } = await newAgent();
		await put("large", new Uint8Array(9_000_000).fill(120));
		const { content } = await shell(`${python("print(1)")} < large; nproc < large`);
		expect(content).toMatch(/^exit code 0\n--- stdout ---\n1\n\d+$/);
	});

	it("leaves what no workspace holds is told what was not kept", async () => {
		const { shell, put, read } = await newAgent();
		await put(
			"work.py",
			`import os, socket
os.mkfifo("pipe")
socket.socket(socket.AF_UNIX).bind("socket")
os.symlink("/etc/passwd", "out"); os.symlink("../../x", "above"); os.symlink("work.py", "in")
os.mkdir("closed"); open("closed/f", "w").write("inside"); os.chmod("closed", 0)
open("unreadable", "w").write("kept"); os.chmod("unreadable", 0)
open(b"\\xff", "w").write("x")
`,
		);
		const { content } = await shell("python3 work.py");
		expect(content).toContain("exit code 0");
		for (const path of ["pipe", "out", "above"]) expect(content).toContain(`runner: ${path} was not kept`);
		expect(content).toContain("its name is no UTF-8");
		expect(String(await read("closed/f"))).toBe("inside");
		expect(String(await read("unreadable"))).toBe("kept");
		const { content: next } = await shell(python('import os; print(sorted(os.listdir())); print(os.readlink("in"))'));
		expect(next).toContain("['closed', 'in', 'unreadable', 'work.py']\nwork.py");
	});

	it.each([
		[".git/hooks/pre-commit", "import os; os.makedirs('.git/hooks'); open('.git/hooks/pre-commit', 'w').write('x')"],
		[".mcp.json", "open('.mcp.json', 'w').write('{}')"],
		["sub/.git/config", "import os; os.makedirs('sub/.git'); open('sub/.git/config', 'w').write('x')"],
	])("makes %s is refused, and nothing is changed", async (path, code) => {
		const { shell, read, archive } = await newAgent();
		await shell("echo before > f");
		const before = await archive();
		const answer = await shell(`echo after > f; python3 -c "${code}"; echo more >> f`);
		expect(answer).toMatchObject({ success: false, meta: { reason: "protected_path" } });
		expect(answer.content).toContain(path);
		expect(await archive()).toEqual(before);
		expect(String(await read("f"))).toBe("before\n");
	});

	it("changes .git/config cannot, and nor can it move it away", async () => {
		const { shell, read } = await newAgent();
		await shell("git init -q");
		const before = await read(".git/config");
		const open = await shell(python('open(".git/config", "a").write("[core]\\n\\tpager = sh\\n")'));
		expect(open.content).toContain("Read-only file system");
		const moved = await shell(python('import os; os.rename(".git", "elsewhere"); os.mkdir(".git")'));
		expect(moved.content).not.toContain("exit code 0");
		expect(await read(".git/config")).toEqual(before);
		expect((await shell("git status --short")).content).toContain("exit code 0");
	});

	it("leaves more than the workspace may hold is refused, and nothing is changed", async () => {
		const { shell, read } = await newAgent();
		await shell("echo before > f");
		const settings = await call<{ files: object }>("GET", "/settings");
		await call("PUT", "/settings", { ...settings, files: { ...settings.files, maxWorkspaceBytes: 100_000 } });
		try {
			const answer = await shell(`echo after > f; ${python('open("big", "w").write("x" * 200_000)')}`);
			expect(answer).toMatchObject({ success: false });
			expect(answer.content).toContain("100000");
		} finally {
			await call("PUT", "/settings", settings);
		}
		expect(String(await read("f"))).toBe("before\n");
		expect(await read("big")).toBeUndefined();
		expect((await shell(python('import os; print(os.listdir(), open("f").read())'))).content).toContain("['f'] before");
	});

	it("takes too long is ended with all that it started, and nothing is changed", async () => {
		const { shell, read } = await newAgent();
		const mark = randomUUID();
		const code = `import subprocess, time, sys; open("f", "w"); subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], start_new_session=True); time.sleep(600)`;
		const answer = await shell(`python3 -c '${code}' ${mark}`, { timeoutSeconds: 2 });
		expect(answer).toMatchObject({ success: false, code: "timeout" });
		await untilGone(mark);
		expect(await read("f")).toBeUndefined();
		expect((await shell("nproc")).success).toBe(true);
	});

	it("runs when its turn is cancelled is ended, and nothing is changed", async () => {
		const agent = await newAgent();
		const mark = randomUUID();
		const command = `echo x > f; python3 -c 'import time; open("g", "w"); time.sleep(600)' ${mark}`;
		const turn = { message: `/shell ${JSON.stringify({ command })}`, sessionId: `s-${mark}` };
		const { turnId } = await call<{ turnId: string }>("POST", `/agents/${agent.name}/turns`, turn, {
			Prefer: "respond-async",
		});
		await untilRunning(mark);
		await call("POST", `/sessions/s-${mark}/cancel`);
		await untilGone(mark);
		expect(await call("GET", `/turns/${turnId}`)).toMatchObject({ status: "cancelled" });
		expect([await agent.read("f"), await agent.read("g")]).toEqual([undefined, undefined]);
		expect((await agent.shell("nproc; ls")).content).toMatch(/exit code 0/);
		expect(findRunning(mark)).toEqual([]);
	});
});

describe("without a runner", { timeout: 120_000 }, () => {
	it("says of programs that they need one, and serves everything else", async () => {
		const other = await makeHome({ ORYX_RUNNER: "off" });
		const process = await startOryx(other);
		try {
			const api = apiOf(other);
			await allowPrograms(api, [...builtIn, ...programs]);
			const { shell, read } = await makeAgent(other, api, "alone");
			const answer = await shell("echo x > f; nproc");
			expect(answer).toMatchObject({ success: false, code: "unavailable", meta: { reason: "needs_runner" } });
			expect(answer.content).toMatch(/"nproc" needs the runner.*npm start.*Nothing was changed/s);
			expect(await read("f")).toBeUndefined();
			expect((await shell("echo x > f; cat f | wc -c")).content).toContain("\n2");
			expect(process.output()).toContain("runner   off");
		} finally {
			await process.kill();
			other.discard();
		}
	});
});
