import * as z from "zod";
import { AppError } from "../shared/errors";
import { resourceName } from "../shared/names";
import { parseInput } from "../shared/parse-input";
import { readFrontMatter } from "./front-matter";

export const maxSkillBytes = 512 * 1024;

/** Other fields are the author's, and are kept as part of the text. */
const skillHead = z.looseObject({
	name: resourceName,
	description: z.string("Say in one or two sentences what the skill is for.").trim().min(1).max(1_024),
});

/** Reads what the prompt says of a SKILL.md. Throws `invalid_input`, also when there are no instructions below the front matter. */
export function parseSkillMd(text: string): { name: string; description: string } {
	const { fields, body } = readFrontMatter(text, "SKILL.md");
	const { name, description } = parseInput(skillHead, fields);
	if (body.trim() === "")
		throw new AppError("invalid_input", "Write the instructions of the skill below its front matter.");
	return { name, description };
}
