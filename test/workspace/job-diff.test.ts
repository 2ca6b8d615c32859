import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { settingsDocument } from "../../src/shared/settings";
import type { WorkspaceContext, WriteTarget } from "../../src/workspace/context";
import type { FileSystem } from "../../src/workspace/file-system";
import { diffOfJob } from "../../src/workspace/job-diff";
import { plant } from "../support/node/open-files";
import { bytes } from "../support/node/workspace";
import { workspaceWorld } from "../support/node/workspace-world";

const context = (target: WriteTarget): WorkspaceContext => ({
	workspace: "w",
	callId: crypto.randomUUID(),
	scope: "turn-1",
	target,
	whitelist: { FILE: [], SHELL: [], HTTP: [] },
	settings: settingsDocument.parse({}),
	allowLoopback: false,
	interpreters: "supervised",
	programNetwork: "deny",
	mayWriteProtected: false,
	documents: { agent: undefined, skills: [], session: undefined },
});

/** The diff of a job that changes these texts. */
async function diffOf(texts: Readonly<Record<string, string>>, change: (files: FileSystem) => void): Promise<string> {
	const { workspace } = await workspaceWorld({ texts });
	workspace.jobs.create({ id: "job", sessionId: null, ttlMs: 1_000_000, maxBytes: 10_000_000 });
	const target = { mode: "job", jobId: "job" } as const;
	expect(await workspace.change(context(target), change)).toMatchObject({ ok: true });
	const diff = await diffOfJob(workspace, context({ mode: "direct" }), { id: "job", path: undefined });
	if (!diff.ok) throw new Error(diff.message);
	return diff.value;
}

it("is what git needs to make the same changes to texts", async () => {
	const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\r\n`).join("");
	const before = { "a.txt": lines, "no end": "one\ntwo", "gone.txt": "x\n", "old name.txt": "y\n", "空.md": "# 空\n" };
	const after = {
		"a.txt": lines.replace("line 3\r", "LINE 3\r").replace("line 30\r", "line 30\nmore\r"),
		"no end": "one\ntwo\nthree",
		"docs/new name.txt": "y\n",
		"docs/说明 🛠.md": "# 说明",
		"空.md": "# 满\n",
	};
	const at = (texts: object) =>
		Object.fromEntries(Object.entries(texts).map(([name, text]) => [`/workspace/${name}`, text]));
	const diff = await diffOf(at(before), (files) => {
		for (const name of Object.keys(before)) files.unlink(`/workspace/${name}`);
		plant(files, at(after));
		files.write("/workspace/bytes", new Uint8Array(3));
		files.write("/workspace/empty", new Uint8Array());
		files.makeDirectory("/workspace/folder");
	});

	const disk = mkdtempSync(path.join(tmpdir(), "oryx-diff-"));
	onTestFinished(() => rmSync(disk, { recursive: true }));
	for (const [name, text] of Object.entries(before)) writeFileSync(path.join(disk, name), text);
	mkdirSync(path.join(disk, "docs"));
	execFileSync("git", ["apply", "-p2", "--whitespace=nowarn"], { cwd: disk, input: diff });
	const made = Object.keys(after).map((name) => [name, readFileSync(path.join(disk, name), "utf8")]);
	expect(Object.fromEntries(made)).toEqual(after);
	expect(() => readFileSync(path.join(disk, "gone.txt"))).toThrow("ENOENT");
});

it("says in a remark what lines cannot say, and has no header without lines", async () => {
	const diff = await diffOf({ "/workspace/a/b": "", "/workspace/run": "x\n", "/workspace/t": "t\n" }, (files) => {
		files.removeTree("/workspace/a");
		files.chmod("/workspace/run", 0o755);
		files.setTimes("/workspace/t", { mtimeMs: 5 });
		files.makeDirectory("/workspace/d");
		files.symlink("run", "/workspace/link");
		files.write("/workspace/bytes", bytes("\0"));
		files.write("/workspace/long", new Uint8Array(1_048_577).fill(65));
		files.write("/workspace/none", new Uint8Array());
	});
	expect(diff.replaceAll(/, [0-9a-f]{12}$/gm, "")).toBe(
		[
			"# /workspace/a: a directory became nothing",
			"# /workspace/a/b: an empty file became nothing",
			"# /workspace/bytes: nothing became 1 byte",
			"# /workspace/d: nothing became a directory",
			"# /workspace/link: nothing became a link to run",
			"# /workspace/long: nothing became 1048577 bytes",
			"# /workspace/none: nothing became an empty file",
			"# /workspace/run: mode 644 became 755",
			"",
		].join("\n"),
	);
});

it("gives up looking where many files differ in all their lines, and says how many are left", async () => {
	const names = Array.from({ length: 12 }, (_, at) => `/workspace/${at}.txt`);
	const texts = Object.fromEntries(names.map((name) => [name, "a\n".repeat(5_000)]));
	const diff = await diffOf(texts, (files) => {
		for (const name of names) files.write(name, bytes("b\n".repeat(5_000)));
	});
	expect(diff.match(/more than 4000 lines differ/g)).toHaveLength(6);
	expect(diff).toMatch(/# 6 more paths differ; ask for them by path\.\n$/);
});
