import { expect, it } from "vitest";
import { showOutcome } from "../../../src/tools/shell/show-outcome";
import type { ShellOutcome } from "../../../src/workspace/shell-call";

const outcome = (over: Partial<ShellOutcome>): ShellOutcome => ({
	exitCode: 0,
	stdout: "",
	stderr: "",
	droppedStdoutBytes: 0,
	droppedStderrBytes: 0,
	changed: [],
	...over,
});

async function show(over: Partial<ShellOutcome>, id: string | undefined = "a1") {
	const kept: string[] = [];
	const result = await showOutcome({ value: outcome(over) }, async (text) => {
		kept.push(text);
		return id;
	});
	return { result, kept };
}

it.each<[Partial<ShellOutcome>, string]>([
	[{}, "exit code 0\n(no output)"],
	[{ stdout: "a\nb\n" }, "exit code 0\n--- stdout ---\na\nb"],
	[{ exitCode: 1, stderr: "no\n" }, "exit code 1\n--- stderr ---\nno"],
	[
		{ exitCode: 2, stdout: "a", stderr: "b", changed: ["/workspace/x"] },
		"exit code 2\n--- stdout ---\na\n--- stderr ---\nb\n[Changed: /workspace/x]",
	],
])("shows %j", async (over, content) => {
	const { result, kept } = await show(over);
	expect(result).toEqual({ success: true, content, meta: { exitCode: over.exitCode ?? 0 } });
	expect(kept).toEqual([]);
});

it("shows the end of a long output and says where the whole is", async () => {
	const stdout = `${"x".repeat(10_000)}end`;
	const { result, kept } = await show({ stdout, droppedStdoutBytes: 7, stderr: "e" });
	const mark = "[The first 1818 bytes of stdout are left out. read_file reads the whole at /artifacts/a1.]";
	expect(result).toEqual({
		success: true,
		content: `exit code 0\n--- stdout ---\n${mark}\n${"x".repeat(8_189)}end\n--- stderr ---\ne`,
		meta: { exitCode: 0, truncated: true, artifactId: "a1" },
	});
	expect(kept).toEqual([`--- stdout ---\n[The first 7 bytes were not kept.]\n${stdout}\n--- stderr ---\ne`]);
});

it("names no place where nothing could be kept", async () => {
	const made = await showOutcome({ value: outcome({ stdout: "é".repeat(5_000) }) }, async () => undefined);
	expect(made).toMatchObject({ success: true, meta: { exitCode: 0, truncated: true } });
	expect(made).toHaveProperty("content", expect.stringContaining("[The first 1808 bytes of stdout are left out.]\né"));
});

it("names some of many changes", async () => {
	const changed = Array.from({ length: 25 }, (_, at) => `f${at}`);
	const { result } = await show({ changed });
	expect(result).toHaveProperty("content", expect.stringMatching(/f19, and 5 more\]$/));
});

it("leaves out what git keeps for itself, and says what confined the programs", async () => {
	const value = outcome({
		changed: ["/workspace/.git", "/workspace/.git/index", "/workspace/a"],
		backend: "bubblewrap",
	});
	const result = await showOutcome({ value, jobId: "job" }, async () => undefined);
	expect(result).toEqual({
		success: true,
		content: "exit code 0\n(no output)\n[Changed: /workspace/.git, /workspace/a]",
		meta: { exitCode: 0, sandbox: "bubblewrap", jobId: "job" },
	});
});
