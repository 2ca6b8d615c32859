import { describe, expect, it } from "vitest";
import { UrlRefused } from "../../../src/gates/gated-fetch";
import { FsError } from "../../../src/workspace/fs-error";
import { allCommands } from "../../fixtures/shell/all-commands";
import { openShell } from "./open-shell";

describe("a command line", () => {
	it("answers both streams and the status", async () => {
		const reply = await openShell(allCommands).run("echo out; echo err >&2; exit 3");
		expect(reply).toEqual({
			ok: true,
			outcome: { stdout: "out\n", stderr: "err\n", exitCode: 3, droppedStdoutBytes: 0, droppedStderrBytes: 0 },
		});
	});

	it("is a failed command, not a refusal, when it is no bash", async () => {
		const reply = await openShell(allCommands).run("if true; then");
		expect(reply).toMatchObject({
			ok: true,
			outcome: { exitCode: 2, stderr: expect.stringContaining("syntax error") },
		});
	});

	it("keeps the end of each stream and counts the rest", async () => {
		const reply = await openShell(allCommands).run("seq 200000 | sed 's/$/ é/'; seq 90000 >&2; echo end");
		if (!reply.ok) throw new Error(reply.message);
		const { stdout, droppedStdoutBytes } = reply.outcome;
		expect(stdout.endsWith("200000 é\nend\n")).toBe(true);
		const keptBytes = Buffer.byteLength(stdout);
		expect(keptBytes).toBeLessThanOrEqual(1_000_000);
		expect(keptBytes).toBeGreaterThan(999_990);
		expect(keptBytes + droppedStdoutBytes).toBe(Buffer.byteLength(`${counted(200_000, " é")}end\n`));
	});

	it("is refused over 32 KiB", async () => {
		const shell = openShell(allCommands);
		expect(await shell.run(`: ${"x".repeat(32_766)}`)).toMatchObject({ ok: true });
		expect(await shell.run(`: ${"é".repeat(16_384)}`)).toMatchObject({ ok: false, reason: "command_too_long" });
	});

	it("is refused when nothing is listed, whatever it is", async () => {
		const shell = openShell([]);
		const before = shell.tree();
		expect(await shell.run(": > a.txt")).toMatchObject({ ok: false, reason: "command_not_allowed" });
		expect(shell.tree()).toEqual(before);
	});

	it("begins in the folder that it names", async () => {
		const shell = openShell(allCommands);
		expect(await shell.run("pwd; ls", { cwd: "src/lib" })).toMatchObject({
			outcome: { stdout: "/workspace/src/lib\ndeep.h\n" },
		});
		expect(await shell.run("pwd", { cwd: "/etc" })).toMatchObject({ ok: false, reason: "outside_root", gate: true });
		expect(await shell.run("pwd", { cwd: "a.txt" })).toMatchObject({ ok: false, reason: "ENOTDIR" });
		expect(await shell.run("pwd", { cwd: "nowhere" })).toMatchObject({ ok: false, reason: "not_found" });
	});

	it("sees an environment that was made for it", async () => {
		const reply = await openShell(allCommands).run(
			"env | sort; whoami; date +%Z; cat /proc/self/environ; echo $HOSTNAME",
		);
		if (!reply.ok) throw new Error(reply.message);
		const { stdout } = reply.outcome;
		const names = [...stdout.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
		expect(names).toEqual("HOME LANG LC_ALL LC_CTYPE PATH PWD SHELL TERM TMPDIR USER".split(" "));
		expect(stdout).toContain("UTC\n");
		for (const secret of Object.values(process.env)) {
			if (secret && secret.length > 12 && !secret.startsWith("/")) expect(stdout).not.toContain(secret);
		}
	});

	it("has nothing of the machine in it", async () => {
		const reply = await openShell(allCommands).run(
			"ls / /etc /proc /dev; cat /etc/passwd /proc/version; echo x > /etc/x; ls ~root",
		);
		if (!reply.ok) throw new Error(reply.message);
		expect(reply.outcome.stdout).not.toMatch(/root:|Linux/);
		expect(reply.outcome.stderr).toContain("FILE list");
	});

	it("fails as a command where a file is refused, and says which list", async () => {
		const shell = openShell(allCommands, ["/workspace"]);
		const reply = await shell.run("cat /etc/passwd || echo no; ls a.txt");
		expect(reply).toMatchObject({
			ok: true,
			outcome: { exitCode: 0, stdout: "no\na.txt\n", stderr: expect.stringMatching(/\/etc\/passwd.*FILE list/) },
		});
	});

	it("follows no link out of the lists", async () => {
		const shell = openShell(allCommands);
		shell.files.makeDirectory("/tmp/x");
		shell.files.symlink("/etc", "/workspace/out");
		const reply = await shell.run(
			"cat out/passwd; echo x > out/made; cp a.txt out/; ln -s /memory/x m; cat m; cd out && ls",
		);
		expect(reply).toMatchObject({ ok: true, outcome: { stdout: "" } });
	});

	it("says what is too large to be read whole", async () => {
		const shell = openShell(allCommands);
		shell.files.write("/workspace/big", new Uint8Array());
		shell.files.truncate("/workspace/big", 17 * 1_024 * 1_024);
		const reply = await shell.run("cat big; wc -c < big; stat -c %s big");
		expect(reply).toMatchObject({ ok: true, outcome: { stdout: "17825792\n" } });
	});

	it("tells a redirection that cannot be opened, and goes on", async () => {
		const shell = openShell(allCommands);
		const reply = await shell.run("echo x > nowhere/file; echo $?; echo y > src; : > nowhere/b; echo end");
		expect(reply).toMatchObject({ ok: true, outcome: { stdout: "1\nend\n", exitCode: 1 } });
	});

	it("ends when the file system has an error of its own", async () => {
		const shell = openShell(allCommands);
		const files = {
			...shell.files,
			read: () => {
				throw new TypeError("a bug");
			},
		};
		await expect(shell.run("cat a.txt || true", { files })).rejects.toThrow("a bug");
	});

	it("names a quota", async () => {
		const shell = openShell(allCommands);
		const files = {
			...shell.files,
			write: (path: string) => {
				throw new FsError("EDQUOT", path, "workspace quota of 1 GB exceeded");
			},
		};
		const reply = await shell.run("echo x > made; cp a.txt b2.txt; echo end", { files });
		expect(reply).toMatchObject({ ok: true, outcome: { stdout: "end\n", stderr: expect.stringMatching(/quota/i) } });
	});
});

const counted = (last: number, ending: string) =>
	Array.from({ length: last }, (_, index) => `${index + 1}${ending}\n`).join("");

describe("the network of a command line", () => {
	const answer = {
		url: "https://api.example/x",
		status: 200,
		headers: new Headers(),
		body: new TextEncoder().encode("hello"),
		truncated: false,
	};

	it("has no way of its own", async () => {
		const own = globalThis.fetch;
		let asked = 0;
		globalThis.fetch = () => {
			asked++;
			return Promise.reject(new Error("A command line went round the gate."));
		};
		const shell = openShell([...allCommands, "curl"]);
		for (const line of [
			"curl https://api.example/; curl -L http://127.0.0.1/; curl -o x file:///etc/passwd",
			"echo > /dev/tcp/127.0.0.1/80; cat < /dev/tcp/127.0.0.1/80; exec 3<>/dev/udp/127.0.0.1/53",
			"awk 'BEGIN{s=\"/inet/tcp/0/127.0.0.1/80\"; print | s; s | getline}'",
		]) {
			await shell.run(line);
		}
		globalThis.fetch = own;
		expect(asked).toBe(0);
	});

	it("is not there unless curl is listed", async () => {
		expect(await openShell(allCommands).run("curl https://api.example/x")).toMatchObject({
			ok: false,
			reason: "command_not_allowed",
		});
	});

	it("goes through the gate", async () => {
		const asked: unknown[] = [];
		const effects: string[] = [];
		const reply = await openShell(["curl"]).run(
			"curl -s https://api.example/x; curl -s -X POST -d a=1 https://api.example/x",
			{
				fetch: async (url, { list, method }) => {
					asked.push([url, list, method, effects.length]);
					return answer;
				},
				beforeEffect: async () => void effects.push("effect"),
			},
		);
		expect(reply).toMatchObject({ ok: true, outcome: { stdout: "hellohello" } });
		expect(asked).toEqual([
			["https://api.example/x", "http", "GET", 0],
			["https://api.example/x", "http", "POST", 1],
		]);
	});

	it.each([
		["curl -s https://api.example/x", false],
		["curl -s --max-redirs 3 https://api.example/x", false],
		["curl -s -A -L https://api.example/x", false],
		["curl -s -H 'x: -L' -o -L https://api.example/x", false],
		["curl -sSfL https://api.example/x", true],
		["curl https://api.example/x --location -s", true],
	])("follows redirects where it is told to, as curl does: %s", async (line, follows) => {
		const asked: unknown[] = [];
		await openShell(["curl"]).run(line, {
			fetch: async (url, { follow }) => {
				asked.push([url, follow]);
				return answer;
			},
		});
		expect(asked).toEqual([["https://api.example/x", follows]]);
	});

	it("is the command's error where the gate refuses", async () => {
		const reply = await openShell(["curl", "echo"]).run("curl https://evil.example/ || echo refused", {
			fetch: () => Promise.reject(new UrlRefused("host_not_allowed", "evil.example is not on the HTTP list.")),
		});
		expect(reply).toMatchObject({
			ok: true,
			outcome: { stdout: "refused\n", stderr: expect.stringContaining("HTTP list") },
		});
	});
});
