import { expect, it } from "vitest";
import { readSkill } from "../../../src/tools/skills/read-skill";
import { callIn, toolWorld } from "../../support/tool-context";

it("answers the text of a skill", async () => {
	const world = toolWorld({ skills: { "weekly-report": "---\nname: weekly-report\n---\nAsk first." } });
	expect(await callIn(world, readSkill, { name: " weekly-report" })).toEqual({
		success: true,
		content: "---\nname: weekly-report\n---\nAsk first.",
	});
});

it.each([
	[{ a: "x", b: "y" }, 'There is no skill "c". There are a, b.', true],
	[{}, 'There is no skill "c". This agent has no skills.', false],
])("names the skills there are in place of an unknown one", async (skills, errorMessage, retryable) => {
	const result = await callIn(toolWorld({ skills }), readSkill, { name: "c" });
	expect(result).toEqual({ success: false, code: "not_found", errorMessage, retryable });
});
