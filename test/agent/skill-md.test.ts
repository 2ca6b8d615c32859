import { describe, expect, it } from "vitest";
import { parseSkillMd } from "../../src/agent/skill-md";

describe("a SKILL.md", () => {
	it("tells its name and description", () => {
		const text = "---\nname: weather\ndescription: Asks for the weather\nlicense: MIT\n---\n\nCall http_get.\n";
		expect(parseSkillMd(text)).toEqual({ name: "weather", description: "Asks for the weather" });
	});

	it.each([
		["a name", "---\ndescription: d\n---\nbody", /^name:/],
		["a description", "---\nname: a\n---\nbody", /^description: Say/],
		["a description that says something", "---\nname: a\ndescription: ' '\n---\nbody", /^description:/],
		["a body", "---\nname: a\ndescription: d\n---\n\n \n", /Write the instructions/],
		["front matter", "body", /must begin with front matter/],
	])("is refused without %s", (_, text, message) => {
		expect(() => parseSkillMd(text)).toThrow(message);
	});
});
