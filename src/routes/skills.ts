import { Hono } from "hono";
import * as z from "zod";
import { maxSkillBytes, parseSkillMd } from "../agent/skill-md";
import type { AppEnv } from "../app-env";
import { deleteSkill, getSkill, listSkills, putSkill } from "../db/skills";
import { utf8Length } from "../lib/text";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import { skillHead, skillView } from "../shared/skill";
import { withExample } from "./described";
import { markdown, readMarkdown, wantsMarkdown } from "./media";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "skills";
const exampleSkillMd = `---
name: tides
description: How to read the harbour's tide table.
---

Fetch the page with fetch_webpage. High water stands in the second column.
`;
const oneSkill = {
	description: "The skill.",
	content: { "text/markdown": z.string(), "application/json": skillView },
};

export const skills = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "List skills", permission: "skill:list", answers: { 200: pageOf(skillHead) } }),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			return c.json(answerPage(await listSkills(c.var.db, { after, limit }), (skill) => skill));
		},
	)
	.get(
		"/:name",
		operation({
			tag,
			summary: "Read a skill",
			description: "As SKILL.md, or as JSON with `Accept: application/json`.",
			permission: "skill:list",
			answers: { 200: oneSkill },
			errors: ["not_found"],
		}),
		async (c) => {
			const skill = await getSkill(c.var.db, c.req.param("name"));
			if (!wantsMarkdown(c, "text/markdown")) return c.json(skill);
			return c.body(skill.content, 200, { "Content-Type": markdown });
		},
	)
	.put(
		"/:name",
		operation({
			tag,
			summary: "Write a skill",
			description: "A SKILL.md: front matter with `name` and `description`, then the instructions.",
			permission: "skill:edit",
			body: { "text/markdown": withExample(z.string(), exampleSkillMd) },
			answers: { 200: skillHead, 201: skillHead },
		}),
		async (c) => {
			const content = await readMarkdown(c);
			const { content: _, ...head } = await putSkill(c.var.db, readSkill(content, c.req.param("name")), new Date());
			return c.json(head, head.createdAt.getTime() === head.updatedAt.getTime() ? 201 : 200);
		},
	)
	.delete(
		"/:name",
		operation({
			tag,
			summary: "Delete a skill",
			permission: "skill:edit",
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found"],
		}),
		async (c) => {
			await deleteSkill(c.var.db, c.req.param("name"));
			return c.body(null, 204);
		},
	);

function readSkill(content: string, name: string) {
	if (utf8Length(content) > maxSkillBytes) {
		throw new AppError("too_large", `A SKILL.md may have at most ${maxSkillBytes} bytes.`);
	}
	const skill = parseSkillMd(content);
	if (skill.name === name) return { ...skill, content };
	throw new AppError(
		"invalid_input",
		`name: it is ${skill.name} in the file and ${name} in the path; make them equal.`,
	);
}
