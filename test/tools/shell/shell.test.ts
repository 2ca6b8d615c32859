import { describe, expect, it } from "vitest";
import { workspaceWorld } from "../../support/node/workspace-world";

const texts = { "/workspace/a.txt": "apple\nbanana\n", "/workspace/d/b.txt": "b\n" };
const SHELL = ["cat", "echo", "grep", "ls", "wc", "rm", "pwd", "seq", "printf"];
const worldOf = (more: object = {}) => workspaceWorld({ texts, whitelist: { SHELL }, ...more });

describe("shell", () => {
	it.each<[string, object, string]>([
		["shell", { command: "cat a.txt | grep an | wc -l" }, "exit code 0\n--- stdout ---\n1"],
		["shell", { command: "pwd", cwd: "d" }, "exit code 0\n--- stdout ---\n/workspace/d"],
		["shell", { command: "cat b.txt", cwd: "/workspace/d" }, "exit code 0\n--- stdout ---\nb"],
		["shell", { command: "grep nothing a.txt" }, "exit code 1\n(no output)"],
		[
			"shell",
			{ executable: "echo", arguments: ["$HOME `id`", "it's"] },
			"exit code 0\n--- stdout ---\n$HOME `id` it's",
		],
		["shell", { executable: "pwd" }, "exit code 0\n--- stdout ---\n/workspace"],
		["execute_command", { command: "echo hi" }, "exit code 0\n--- stdout ---\nhi"],
		["executeCommand", { command: "echo hi" }, "exit code 0\n--- stdout ---\nhi"],
		["shell", { command: "echo x > new.txt" }, "exit code 0\n(no output)\n[Changed: /workspace/new.txt]"],
	])("%s %j", async (name, args, said) => {
		const world = await worldOf();
		expect(await world.said(name, args)).toBe(said);
	});

	it("states the exit code of a command that failed as a call that ran", async () => {
		const world = await worldOf();
		const result = await world.call("shell", { command: "cat none" });
		expect(result).toMatchObject({ success: true, meta: { exitCode: 1 } });
		expect(result).toHaveProperty("content", expect.stringMatching(/^exit code 1\n--- stderr ---\ncat: /));
	});

	it("keeps the whole of a long output to be read by range", async () => {
		const world = await worldOf();
		const result = await world.call("shell", { command: "seq 1 5000" });
		expect(result).toMatchObject({ success: true, meta: { truncated: true, artifactId: "artifact-1" } });
		expect(result).toHaveProperty("content", expect.stringMatching(/\n5000$/));
		expect(await world.said("read_file", { path: "/artifacts/artifact-1", offset: 1, limit: 3 })).toMatch(
			/^--- stdout ---\n1\n2\n\[/,
		);
	});

	it.each<[string, object, string, object]>([
		["an unlisted command", { command: "ls && id" }, "not_listed", { gate: "lists", reason: "command_not_allowed" }],
		["an unlisted command after a change", { command: "rm a.txt; id" }, "not_listed", { gate: "lists" }],
		["an unlisted executable", { executable: "id" }, "not_listed", { gate: "lists", reason: "command_not_allowed" }],
		["a line as executable", { executable: "ls; rm a.txt" }, "not_listed", { gate: "lists" }],
		["a folder outside", { command: "ls", cwd: "/etc" }, "not_listed", { gate: "lists", reason: "outside_root" }],
		["both forms", { command: "ls", executable: "ls" }, "invalid_arguments", { gate: "schema" }],
		["no form", {}, "invalid_arguments", { gate: "schema" }],
		["arguments without an executable", { command: "ls", arguments: ["a"] }, "invalid_arguments", { gate: "schema" }],
	])("refuses %s, changes nothing and says why in the audit", async (_, args, code, meta) => {
		const world = await worldOf();
		const before = await world.tree();
		const result = await world.call("shell", args);
		expect(result).toMatchObject({ success: false, code, meta });
		expect(await world.tree()).toEqual(before);
		expect(world.rows).toMatchObject([{ success: false, code, ...("gate" in meta && { gate: meta.gate }) }]);
	});

	it("runs nothing while the SHELL list is empty", async () => {
		const world = await workspaceWorld({ texts });
		expect(await world.call("shell", { command: "true" })).toMatchObject({
			code: "not_listed",
			errorMessage: expect.stringContaining("SHELL list is empty"),
			meta: { gate: "lists" },
		});
	});

	it("ends a line that does not end, with nothing changed", async () => {
		const world = await worldOf();
		const before = await world.tree();
		const result = await world.call("shell", { command: "rm a.txt; while true; do echo x; done", timeout_seconds: 1 });
		expect(result).toMatchObject({ success: false });
		expect(["timeout", "too_large"]).toContain(!result.success && result.code);
		expect(await world.tree()).toEqual(before);
	});

	it("judges an executable by the rules over command lines", async () => {
		const rule = { tool: "shell", path: "command", pattern: "*rm*", action: "deny" as const };
		const world = await worldOf({ policy: { argumentRules: [rule] } });
		for (const [name, args] of [
			["shell", { command: "rm a.txt" }],
			["shell", { executable: "rm", arguments: ["a.txt"] }],
			["execute_command", { command: "rm a.txt" }],
		] as const) {
			expect(await world.call(name, args)).toMatchObject({ code: "argument_denied" });
		}
	});

	it("runs once per call id", async () => {
		const world = await worldOf();
		await world.call("shell", { command: "echo + >> a.txt" }, "same");
		await world.call("shell", { command: "echo + >> a.txt" }, "same");
		expect(await world.text("/workspace/a.txt")).toBe("apple\nbanana\n+\n");
	});

	it("answers a line whose output is as much as is kept, of both streams", async () => {
		const world = await worldOf();
		await world.onFiles((files) => files.write("/workspace/large", new Uint8Array(1_500_000).fill(10)));
		const result = await world.call("shell", { command: "cat large; cat large >&2; echo done > d/done" });
		expect(result).toMatchObject({ success: true, meta: { exitCode: 0, truncated: true } });
		expect(await world.text("/workspace/d/done")).toBe("done\n");
	});
});
