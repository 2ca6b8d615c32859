import * as z from "zod";

/** What a list tells of a skill; the text is read alone. */
export const skillHead = z.object({
	name: z.string(),
	description: z.string(),
	createdAt: z.date(),
	updatedAt: z.date(),
});
export const skillView = skillHead.extend({ content: z.string().describe("The whole SKILL.md.") });
