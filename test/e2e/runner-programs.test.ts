import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramsWorld, shellCalls, startProgramsWorld } from "../support/node/programs-world";
import { findRunning, python, untilGone, untilRunning } from "../support/node/runner-calls";

let world: ProgramsWorld;
beforeAll(async () => {
	world = await startProgramsWorld();
}, 120_000);
afterAll(() => world?.close());

describe("a program that", { timeout: 60_000 }, () => {
	it("fails is an exit code, and what it changed counts", async () => {
		const { shell, read } = await world.newAgent();
		const { success, content, meta } = await shell(python('open("f", "w").write("x"); raise SystemExit(7)'));
		expect({ success, exitCode: meta.exitCode }).toEqual({ success: true, exitCode: 7 });
		expect(content).toContain("exit code 7");
		expect(String(await read("f"))).toBe("x");
	});

	it("is ended by a signal says by which", async () => {
		const { shell } = await world.newAgent();
		const { content } = await shell(python("import os; os.kill(os.getpid(), 11)"));
		expect(content).toContain("exit code 139");
		expect(content).toContain("python3 was ended by SIGSEGV");
	});

	it("is missing gives the line up", async () => {
		const { shell, read } = await world.newAgent();
		const answer = await shell("echo x > f; no-such-program --help; echo y > g");
		expect(answer).toMatchObject({ success: false, code: "unavailable", meta: { reason: "program_missing" } });
		expect(answer.content).toContain('no program "no-such-program"');
		expect([await read("f"), await read("g")]).toEqual([undefined, undefined]);
	});

	it("is not listed, or not marked as an interpreter, gives the line up", async () => {
		const { shell, read } = await world.newAgent();
		expect(await shell("echo x > f; perl -e 1")).toMatchObject({ success: false, code: "not_listed" });
		await world.call("POST", "/sandbox/whitelist/SHELL", { value: "perl" });
		const answer = await shell("echo x > f; perl -e 1");
		expect(answer).toMatchObject({ success: false, meta: { reason: "interpreter_unmarked" } });
		expect(await read("f")).toBeUndefined();
	});

	it("prints 5 MB is cut at one, and says so", async () => {
		const { shell } = await world.newAgent();
		const { content } = await shell(`${python('print("x" * 4_999_999)')} | wc -c`);
		expect(content).toContain("\n1048576\n");
		expect(content).toContain(`${5_000_000 - 1_048_576} bytes of what python3 printed are left out.`);
	});

	it("reads nothing of a large input ends all the same", async () => {
		const { shell, put } = await world.newAgent();
		await put("large", new Uint8Array(9_000_000).fill(120));
		const { content } = await shell(`${python("print(1)")} < large; nproc < large`);
		expect(content).toMatch(/^exit code 0\n--- stdout ---\n1\n\d+$/);
	});

	it("leaves what no workspace holds is told what was not kept", async () => {
		const { shell, put, read } = await world.newAgent();
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
		const { shell, read, archive } = await world.newAgent();
		await shell("echo before > f");
		const before = await archive();
		const answer = await shell(`echo after > f; python3 -c "${code}"; echo more >> f`);
		expect(answer).toMatchObject({ success: false, meta: { reason: "protected_path" } });
		expect(answer.content).toContain(path);
		expect(await archive()).toEqual(before);
		expect(String(await read("f"))).toBe("before\n");
	});

	it("changes .git/config cannot, and nor can it move it away", async () => {
		const { shell, read } = await world.newAgent();
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
		const { shell, read } = await world.newAgent();
		await shell("echo before > f");
		const settings = await world.call<{ files: object }>("GET", "/settings");
		await world.call("PUT", "/settings", { ...settings, files: { ...settings.files, maxWorkspaceBytes: 100_000 } });
		try {
			const answer = await shell(`echo after > f; ${python('open("big", "w").write("x" * 200_000)')}`);
			expect(answer).toMatchObject({ success: false });
			expect(answer.content).toContain("100000");
		} finally {
			await world.call("PUT", "/settings", settings);
		}
		expect(String(await read("f"))).toBe("before\n");
		expect(await read("big")).toBeUndefined();
		expect((await shell(python('import os; print(os.listdir(), open("f").read())'))).content).toContain("['f'] before");
	});

	it("takes too long is ended with all that it started, and nothing is changed", async () => {
		const { shell, read } = await world.newAgent();
		const mark = randomUUID();
		const code = `import subprocess, time, sys; open("f", "w"); subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], start_new_session=True); time.sleep(600)`;
		const answer = await shell(`python3 -c '${code}' ${mark}`, { timeoutSeconds: 2 });
		expect(answer).toMatchObject({ success: false, code: "timeout" });
		await untilGone(mark);
		expect(await read("f")).toBeUndefined();
		expect((await shell("nproc")).success).toBe(true);
	});

	it("runs when its turn is cancelled is ended, and nothing is changed", async () => {
		const agent = await world.newAgent();
		const mark = randomUUID();
		const command = `echo x > f; python3 -c 'import time; open("g", "w"); time.sleep(600)' ${mark}`;
		const turn = { message: shellCalls([command]), sessionId: `s-${mark}` };
		const { turnId } = await world.call<{ turnId: string }>("POST", `/agents/${agent.name}/turns`, turn, {
			Prefer: "respond-async",
		});
		await untilRunning(mark);
		await world.call("POST", `/sessions/s-${mark}/cancel`);
		await untilGone(mark);
		expect(await world.call("GET", `/turns/${turnId}`)).toMatchObject({ status: "cancelled" });
		expect([await agent.read("f"), await agent.read("g")]).toEqual([undefined, undefined]);
		expect((await agent.shell("nproc; ls")).content).toMatch(/exit code 0/);
		expect(findRunning(mark)).toEqual([]);
	});
});
