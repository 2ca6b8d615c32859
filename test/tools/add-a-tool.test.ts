import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { addDays } from "../fixtures/tools/add-days";
import { myTool } from "../fixtures/tools/my-tool";
import { callIn, toolWorld } from "../support/tool-context";

const read = (file: string) => readFileSync(path.join(import.meta.dirname, "../..", file), "utf8");

it("answers what the smallest tool processed", async () => {
	const result = await callIn(toolWorld(), myTool, { input: "hello" });
	expect(result).toEqual({ success: true, content: "Processed: hello" });
});

describe("add_days", () => {
	it.each([
		[{ date: "2026-01-01", days: 7 }, "2026-01-08"],
		[{ date: "2026-03-01", days: -1 }, "2026-02-28"],
		[{ date: "2028-02-28", days: 1 }, "2028-02-29"],
		[{ date: " 2026-12-31 ", days: 3_650 }, "2036-12-28"],
	])("answers %j with %s", async (args, content) => {
		expect(await callIn(toolWorld(), addDays, args)).toEqual({ success: true, content });
	});

	it.each([
		[{ date: "  ", days: 1 }, "The date is blank."],
		[{ date: "01/02/2026", days: 1 }, '"01/02/2026" is no date.'],
		[{ date: "2026-02-30", days: 1 }, '"2026-02-30" is no date.'],
		[{ date: "2026-01-01", days: 3_651 }, "days"],
		[{ date: "2026-01-01", days: 0.5 }, "days"],
		[{ days: 1 }, "date"],
	])("tells the model what is wrong with %j", async (args, message) => {
		const result = await callIn(toolWorld(), addDays, args);
		expect(result).toMatchObject({ success: false, code: "invalid_arguments", retryable: true });
		expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
	});
});

describe("docs/tools.md", () => {
	const page = read("docs/tools.md");

	it("shows these two files", () => {
		const shown = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
		const asTool = (file: string) =>
			read(`test/fixtures/tools/${file}`)
				.replaceAll("../../../src/tools/", "../")
				.replaceAll("../../../src/", "../../");
		expect(shown).toEqual([asTool("my-tool.ts"), asTool("add-days.ts")]);
	});
});
