import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import own from "../../fixtures/shell/hostile.json" with { type: "json" };
import { corpusText } from "../../support/corpus-text";
import { answerTo, hostileLine } from "./hostile-line";
import { openShell } from "./open-shell";

const corpusFile = path.resolve(import.meta.dirname, "../../../../shared/data/hostile-inputs.json");

/** Files that no line may change, and one that would show that it ran. */
async function expectAnswer(command: string, allow: readonly string[], answer: string, cwd?: string): Promise<void> {
	const shell = openShell(allow);
	const canary = new TextEncoder().encode("#!/bin/bash\necho ran > /workspace/ran\n");
	for (const name of ["ls", "x", "a"]) shell.files.write(`/workspace/${name}`, canary, { mode: 0o755 });
	const before = shell.tree();
	const reply = await shell.run(command, cwd === undefined ? {} : { cwd });
	expect(reply.ok ? "ok" : reply.reason).toBe(answer);
	expect(shell.tree()).toEqual(before);
	if (answer === "command_not_allowed")
		expect(reply).toMatchObject({ code: "not_listed", gate: true, retryable: false });
}

describe("our own hostile command lines", () => {
	it.each(own)("$id: $answer", ({ command, allow, answer }) => expectAnswer(command, allow, answer));
});

describe.runIf(existsSync(corpusFile))("the shared corpus of hostile command lines", () => {
	const all = existsSync(corpusFile)
		? z
				.array(z.looseObject({ id: z.string(), category: z.string(), tool: z.string() }))
				.parse(JSON.parse(readFileSync(corpusFile, "utf8")))
		: [];
	const lines = all
		.filter(({ id, category }) => category === "shell" || id === "path-28")
		.map((one) => hostileLine.parse(one));

	it.each(lines)("$id: $expect.reason", async (one) => {
		await expectAnswer(one.input.command, one.config.shell.allow, answerTo(one), one.input.cwd);
	});

	it("has the lines that are judged", () => {
		expect(lines.length).toBeGreaterThan(35);
	});

	const patterns = all
		.filter(({ category, tool }) => category === "dos" && tool === "grep")
		.map((one) =>
			z.object({ id: z.string(), input: z.object({ pattern: corpusText, text: corpusText.default("x") }) }).parse(one),
		);

	it.each(patterns)("$id: a pattern is searched or refused long before the deadline", async ({ input }) => {
		const reply = await openShell(["grep"]).run(`grep -E -e '${input.pattern}' <<< '${input.text}'`);
		expect(reply).not.toMatchObject({ code: "timeout" });
	});
});
