import * as z from "zod";
import { failure } from "../../shared/tool-result";
import { defineTool } from "../tool";

export const readSkill = defineTool({
	name: "read_skill",
	group: "skills",
	description: `
		Read the instructions of one of your skills. Your prompt names each skill with a short description; read a skill
		before you do what it is for. Answers the text of its SKILL.md.`,
	input: z.object({
		name: z.string().min(1).max(128).describe("The skill's name, as your prompt lists it."),
	}),
	effects: "read",
	idempotent: true,
	touches: () => [],
	async execute({ skills }, { name }) {
		const text = await skills.read(name.trim());
		if (text !== undefined) return { success: true, content: text };
		const names = skills.list().map((skill) => skill.name);
		const known = names.length > 0 ? `There are ${names.join(", ")}.` : "This agent has no skills.";
		return failure("not_found", `There is no skill ${JSON.stringify(name)}. ${known}`, { retryable: names.length > 0 });
	},
});
