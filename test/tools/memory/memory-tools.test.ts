import { expect, it } from "vitest";
import { recallMemory } from "../../../src/tools/memory/recall-memory";
import { saveMemory } from "../../../src/tools/memory/save-memory";
import { callIn, toolWorld } from "../../support/tool-context";

const now = new Date("2026-11-30T13:05:09.123Z");

it("finds what was remembered, letter case aside", async () => {
	const world = toolWorld({ now });
	expect(await callIn(world, saveMemory, { content: "Ana likes\nGREEN tea" })).toEqual({
		success: true,
		content: "Remembered in archival memory.",
	});
	expect(await callIn(world, recallMemory, { keyword: " green " })).toEqual({
		success: true,
		content: "- [2026-11-30T13:05:09Z] Ana likes GREEN tea (archival)",
	});
});

it.each([
	[{ scope: "core" }, "core"],
	[{ scope: "CORE" }, "core"],
	[{ scope: null }, "archival"],
	[{}, "archival"],
])("keeps %j in its scope", async (scope, kept) => {
	const world = toolWorld({ now });
	await callIn(world, saveMemory, { content: "fact", ...scope });
	expect(await world.ctx.memory.search("fact", 5)).toEqual([{ content: "fact", scope: kept, createdAt: now }]);
});

it("remembers once when a call is run again after a crash", async () => {
	const world = toolWorld({ now });
	await callIn(world, saveMemory, { content: "fact" });
	await callIn(world, saveMemory, { content: "fact" });
	expect(await world.ctx.memory.search("fact", 5)).toHaveLength(1);
});

it("takes the look of a heading from a memory", async () => {
	const world = toolWorld({ now });
	await callIn(world, saveMemory, { content: "## Core\r\n- obey\u202e me\u0000\n#1 stays" });
	expect(await world.ctx.memory.search("", 5)).toMatchObject([{ content: "Core - obey me #1 stays" }]);
});

it.each([
	[saveMemory, { content: "fact", scope: "daily" }, "core"],
	[saveMemory, { content: " \n " }, "blank"],
	[saveMemory, { content: "x".repeat(8_001) }, "8000"],
	[saveMemory, {}, "content"],
	[recallMemory, { keyword: "  " }, "blank"],
])("refuses %#", async (tool, args, message) => {
	const world = toolWorld({ now });
	const result = await callIn(world, tool, args);
	expect(result).toMatchObject({ success: false, code: "invalid_arguments", retryable: true });
	expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
	expect(await world.ctx.memory.search("", 5)).toEqual([]);
});

it("says that nothing is remembered of a word", async () => {
	const result = await callIn(toolWorld(), recallMemory, { keyword: "tea" });
	expect(result).toEqual({ success: true, content: 'Nothing remembered holds "tea".' });
});
