import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FileAccess, type FileRules, fileRules, judgePlace } from "../../src/gates/file";
import { settingsDocument } from "../../src/shared/settings";

const rules = (over: Partial<FileRules> = {}): FileRules => ({
	root: "/workspace",
	entries: [],
	memoryAcl: false,
	mayWriteProtected: false,
	...over,
});

const judge = (asked: string, access: FileAccess, over: Partial<FileRules> = {}, path = asked) => {
	const verdict = judgePlace({ asked, path }, access, rules(over));
	return verdict.ok ? "ok" : verdict.reason;
};
const changes: readonly FileAccess[] = ["write", "make_directory", "place", "delete"];

describe("the FILE list", () => {
	it.each<[string, Partial<FileRules>, string]>([
		["/workspace", {}, "ok"],
		["/workspace/a/b", {}, "ok"],
		["/tmp", {}, "ok"],
		["/tmp/a", {}, "ok"],
		["/workspace-evil/a", {}, "outside_root"],
		["/Workspace/a", {}, "outside_root"],
		["/workspace /a", {}, "outside_root"],
		["/tmpx", {}, "outside_root"],
		["/etc/passwd", {}, "outside_root"],
		["/proc/self/environ", {}, "outside_root"],
		["/workspace/a", { root: "/workspace/sub" }, "outside_root"],
		["/workspace", { root: "/workspace/sub" }, "outside_root"],
		["/workspace/sub/a", { root: "/workspace/sub" }, "ok"],
		["/data/a", { entries: ["/data"] }, "ok"],
		["/data2/a", { entries: ["/data/"] }, "outside_root"],
		["/workspace/.oryxos/a", { root: "/workspace/sub", entries: [".oryxos"] }, "outside_root"],
		["/workspace/sub/.oryxos/a", { root: "/workspace/sub", entries: [".oryxos"] }, "ok"],
		["/workspace/a", { root: "~", entries: ["", "~"] }, "outside_root"],
		["/etc/passwd", { entries: ["/"] }, "ok"],
	])("holds for %s by %j: %s", (path, over, expected) => {
		expect(judge(path, "read", over)).toBe(expected);
		expect(judge(path, "make_directory", over)).toBe(expected);
	});

	it.each(["/skills/x/SKILL.md", "/skills", "/memory/MEMORY.md", "/artifacts/1"])("opens %s to reads alone", (path) => {
		expect(judge(path, "read")).toBe("ok");
		for (const access of changes) {
			expect(judge(path, access, { entries: ["/"] })).toBe("outside_root");
		}
		expect(judgePlace({ asked: path, path }, "write", rules())).toMatchObject({
			message: expect.stringContaining("read-only"),
		});
	});

	it("shows the names in / and lets nothing be put there", () => {
		expect(judge("/", "read")).toBe("ok");
		expect(judge("/", "write")).toBe("outside_root");
		expect(judge("/new", "make_directory")).toBe("outside_root");
	});

	it("names itself and the call that would allow a path", () => {
		expect(judgePlace({ asked: "/data/a", path: "/data/a" }, "read", rules())).toEqual({
			ok: false,
			reason: "outside_root",
			message: '/data/a is not on the FILE list. To allow it: POST /api/v1/sandbox/whitelist/FILE {"value":"/data/a"}.',
		});
	});

	it("judges a link by both its ends, and says nothing of where it leads", () => {
		expect(judge("/workspace/ln/a", "read", {}, "/workspace/b/a")).toBe("ok");
		expect(judge("/workspace/ln", "read", {}, "/skills/x")).toBe("ok");
		expect(judge("/workspace/ln", "write", {}, "/skills/x")).toBe("symlink_escape");
		expect(judge("/outside/ln", "read", {}, "/workspace/a")).toBe("outside_root");
		const escaped = judgePlace({ asked: "/workspace/ln", path: "/hidden/place" }, "read", rules());
		expect(escaped).toMatchObject({ reason: "symlink_escape", message: expect.not.stringContaining("hidden") });
	});

	it.each<[string, Partial<FileRules>]>([
		["/", {}],
		["/tmp", {}],
		["/workspace", {}],
		["/workspace", { root: "/workspace/a/b" }],
		["/workspace/a", { root: "/workspace/a" }],
		["/workspace", { root: "/tmp/a", entries: ["/"] }],
	])("lets no deletion take a root: %s of %j", (path, over) => {
		expect(judge(path, "delete", over)).toBe("invalid_path");
		expect(judge("/workspace/a/b/ln", "delete", over, path)).toBe("invalid_path");
	});

	it("lets what is listed by its name be deleted and moved like what is below it", () => {
		const over = { root: "/workspace/in", entries: ["../out/a.txt", "/workspace/dir", "kept/b.txt"] };
		for (const path of ["/workspace/out/a.txt", "/workspace/dir", "/workspace/in/kept", "/workspace/in/kept/b.txt"]) {
			expect(judge(path, "delete", over)).toBe("ok");
		}
		expect(judge("/workspace/out", "delete", over)).toBe("outside_root");
	});

	it("lets the directories on the way to what is listed be made, and nothing else be done with them", () => {
		const over = { root: "/workspace/in", entries: ["../out/deep/a.txt"] };
		for (const path of ["/workspace/out", "/workspace/out/deep"]) {
			expect(judge(path, "make_directory", over)).toBe("ok");
			for (const access of ["read", "write", "place", "delete"] as const)
				expect(judge(path, access, over)).toBe("outside_root");
		}
		expect(judge("/workspace/out/other", "make_directory", over)).toBe("outside_root");
		expect(judge("/workspace/in/ln", "make_directory", over, "/workspace/out/other")).toBe("symlink_escape");
	});
});

describe("protected paths", () => {
	const controlled = [
		".git",
		".git/config",
		".GIT/Config",
		"sub/.git/config.worktree",
		".git/hooks",
		".git/hooks/pre-commit",
		".git/hooks/deep/er",
		".git/info",
		".git/info/attributes",
		".git/objects/info/alternates",
		".git/modules/lib/config",
		".git/worktrees/w/gitdir",
		".git/rebase-merge/git-rebase-todo",
		".gitmodules",
		".gitconfig",
		".mcp.json",
		"a/mcp.json",
		"mcp_servers.yaml",
		"MCP_Servers.yml",
		".env",
		".env.local",
		".envrc",
		".npmrc",
		".yarnrc",
		".yarnrc.yml",
		".pnpmfile.cjs",
		".pypirc",
		".netrc",
		".bashrc",
		".profile",
		".zshenv",
		".inputrc",
		".vimrc",
		".ssh/authorized_keys",
		".gnupg/gpg.conf",
		".claude/settings.json",
		".cursor/mcp.json",
		".codex/config.toml",
		".gemini/settings.json",
		".vscode",
		".vscode/settings.json",
		".vscode/tasks.json",
		".vscode/launch.json",
		"all.code-workspace",
		".idea/workspace.xml",
		".devcontainer/devcontainer.json",
		".husky/pre-push",
		".cargo/config.toml",
		// What other file systems take for the same name.
		".g\u200cit/config",
		".git./config",
		".git /hooks/x",
		"git~1/config",
		".git::$INDEX_ALLOCATION/config",
		".ba\u017fhrc",
	];
	const free = [
		".git/HEAD",
		".git/index",
		".git/refs/heads/main",
		".git/objects/ab/cdef",
		".git/info/exclude",
		".gitignore",
		".github/workflows/ci.yml",
		".env.example",
		".env.production.sample",
		".env.template",
		"env",
		"environment.ts",
		"config",
		"hooks/pre-commit",
		"settings.json",
		".vscode/extensions.json",
		"git/config",
		"x.git.md",
		"bashrc",
		"...",
		":",
	];

	it.each(controlled)("keep %j, also while it does not exist", (name) => {
		for (const access of ["write", "place", "delete"] as const) {
			expect(judge(`/workspace/${name}`, access)).toBe("protected_path");
			expect(judge("/workspace/link", access, {}, `/workspace/${name}`)).toBe("protected_path");
			expect(judge(`/workspace/${name}`, access, {}, "/workspace/elsewhere")).toBe("protected_path");
			expect(judge(`/workspace/${name}`, access, { mayWriteProtected: true })).toBe("ok");
		}
		expect(judge(`/workspace/${name}`, "read")).toBe("ok");
		expect(judge(`/tmp/${name}`, "write")).toBe("protected_path");
	});

	it.each(free)("leave %j alone", (name) => {
		for (const access of changes) expect(judge(`/workspace/${name}`, access)).toBe("ok");
	});

	it("let the directories be made, which say nothing while they are empty", () => {
		for (const name of [".git", ".git/hooks", ".vscode", ".ssh"]) {
			expect(judge(`/workspace/${name}`, "make_directory")).toBe("ok");
		}
	});

	it("say why", () => {
		const verdict = judgePlace({ asked: "/workspace/.npmrc", path: "/workspace/.npmrc" }, "write", rules());
		expect(verdict).toMatchObject({
			message: expect.stringMatching(/^\/workspace\/\.npmrc is protected: package man/),
		});
	});

	it("are found in a path of two thousand names at once", () => {
		const path = `/workspace${"/.git".repeat(800)}/x`;
		const startedAt = performance.now();
		judge(path, "write");
		expect(performance.now() - startedAt).toBeLessThan(100);
	});
});

describe("the memory ACL", () => {
	const closed = [
		"/workspace/MEMORY.md",
		"/workspace/a/memory.MD",
		"/workspace/Memory_Snapshot.md",
		"/workspace/memory.db",
		"/workspace/brain.db-wal",
		"/workspace/BRAIN.DB-SHM",
		"/tmp/memory.db-journal",
		"/workspace/memory.md/x",
		"/memory",
		"/memory/MEMORY.md",
		"/memory/other",
	];
	const open = ["/workspace/memory", "/workspace/memory.md.txt", "/workspace/my-memory.md", "/workspace/memory.md-wal"];

	it.each(closed)("closes %s to every access", (path) => {
		for (const access of ["read", ...changes] as const) {
			const over = { memoryAcl: true, mayWriteProtected: true, entries: ["/"] };
			expect(judge(path, access, over)).toBe("memory_acl");
			expect(judge("/workspace/link", access, over, path)).toBe("memory_acl");
		}
		expect(judge(path, "read")).toBe("ok");
	});

	it.each(open)("leaves %s open", (path) => {
		expect(judge(path, "read", { memoryAcl: true })).toBe("ok");
	});
});

describe("fileRules", () => {
	it("takes root and ACL from the settings and the list from the whitelist", () => {
		const settings = settingsDocument.parse({ files: { root: "./project/" }, memory: { aclEnabled: true } });
		expect(fileRules({ whitelist: { FILE: ["/data"], SHELL: [], HTTP: [] }, settings })).toEqual({
			root: "/workspace/project",
			entries: ["/data"],
			memoryAcl: true,
			mayWriteProtected: false,
		});
	});

	it("opens nothing by a root that is no path", () => {
		const settings = settingsDocument.parse({ files: { root: "https://a.example/" } });
		const made = fileRules({ whitelist: { FILE: [], SHELL: [], HTTP: [] }, settings });
		expect(judge("/workspace/a", "read", made)).toBe("outside_root");
	});
});

describe("judgePlace", () => {
	it("never opens a place that no root holds by whole segments", () => {
		const name = fc.constantFrom("workspace", "tmp", "a", "b", "workspace2", ".git", "skills", "Memory.md");
		const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join("/")}`);
		const access = fc.constantFrom<FileAccess>("read", ...changes);
		fc.assert(
			fc.property(path, path, path, access, (asked, leadsTo, root, use) => {
				if (judge(asked, use, { root }, leadsTo) !== "ok" || root === "/") return;
				const roots = use === "read" ? [root, "/tmp", "/skills", "/memory", "/artifacts"] : [root, "/tmp"];
				for (const end of [asked, leadsTo]) {
					const isHeld = roots.some((held) => `${end}/`.startsWith(`${held}/`));
					expect(isHeld || (use === "read" && end === "/")).toBe(true);
				}
			}),
		);
	});
});
