import { describe, expect, it } from "vitest";
import * as z from "zod";
import { allCommands } from "../../fixtures/shell/all-commands";
import recorded from "../../fixtures/shell/bash-5.2.json" with { type: "json" };
import { knownDifferences } from "../../fixtures/shell/known-differences";
import { lines } from "../../fixtures/shell/lines";
import { openShell } from "./open-shell";
import { changesBetween, type LineOutcome } from "./outcome";
import { hasBash52, runInBash } from "./real-bash";

const outcome = z.object({ stdout: z.string(), exitCode: z.number(), changes: z.record(z.string(), z.string()) });
const outcomes = z.record(z.string(), outcome).parse(recorded);

async function runHere(line: string): Promise<LineOutcome> {
	const shell = openShell(allCommands);
	const before = shell.tree();
	const reply = await shell.run(line);
	if (!reply.ok) return { stdout: `refused: ${reply.message}`, exitCode: -1, changes: {} };
	const { stdout, exitCode } = reply.outcome;
	return { stdout, exitCode, changes: changesBetween(before, shell.tree()) };
}

describe("a command line", () => {
	it("is one of many in the table", () => {
		expect(new Set(lines).size).toBe(lines.length);
		expect(lines.length).toBeGreaterThan(350);
	});

	it.each(lines.map((line) => [line]))("does what it does in bash 5.2: %s", async (line) => {
		expect(await runHere(line)).toEqual(outcomes[line]);
	});

	it.each(knownDifferences)("is known to differ from bash 5.2: $line", async ({ line }) => {
		expect(await runHere(line)).not.toEqual(outcomes[line]);
	});
});

describe.runIf(hasBash52())("the recorded outcomes", () => {
	it("are those of the real bash", async () => {
		const all = [...lines, ...knownDifferences.map(({ line }) => line)];
		const real = Object.fromEntries(all.map((line) => [line, runInBash(line)]));
		await expect(`${JSON.stringify(real, null, "\t")}\n`).toMatchFileSnapshot("../../fixtures/shell/bash-5.2.json");
	});
});
