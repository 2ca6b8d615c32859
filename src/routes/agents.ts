import { type Context, Hono } from "hono";
import * as z from "zod";
import { writeAgentMd } from "../agent/agent-md";
import type { AppEnv } from "../app-env";
import { type Agent, changeAgent, deleteAgent, getAgent, insertAgent, listAgents, putAgent } from "../db/agents";
import { agentProfile, agentView, savedAgent } from "../shared/agent";
import { pageOf } from "../shared/page";
import { parseInput } from "../shared/parse-input";
import { agentBody, mergePatch, readAgent, requireModel, requireName, requireSecretUse } from "./agent-body";
import { warningsOf } from "./agent-warnings";
import { withExample } from "./described";
import { markdown, readJson, wantsMarkdown } from "./media";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "agents";
const examplePatch = { description: null, provider: { name: "manual" }, settings: { max_iterations: 5 } };
const oneAgent = {
	description: "The agent.",
	content: { "application/json": agentView, "text/markdown": z.string() },
};

/** Chained, so that the console's typed client infers each route. */
export const agents = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "List agents", permission: "agent:list", answers: { 200: pageOf(agentView) } }),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			return c.json(answerPage(await listAgents(c.var.db, { after, limit }), viewOf));
		},
	)
	.post(
		"/",
		operation({
			tag,
			summary: "Make an agent",
			description: "From JSON or an AGENT.md. Tools that do not exist are saved and named in `warnings`.",
			permission: "agent:edit",
			body: agentBody,
			answers: { 201: savedAgent },
			errors: ["conflict"],
		}),
		async (c) => c.json(await saved(c, await insertAgent(c.var.db, await readAgent(c), new Date())), 201),
	)
	.get(
		"/:name",
		operation({
			tag,
			summary: "Get an agent",
			description: "With `Accept: text/markdown` as an AGENT.md.",
			permission: "agent:list",
			answers: { 200: oneAgent },
			errors: ["not_found"],
		}),
		async (c) => {
			const agent = await getAgent(c.var.db, c.req.param("name"));
			if (!wantsMarkdown(c)) return c.json(viewOf(agent));
			return c.body(writeAgentMd(parseInput(agentProfile, agent.profile)), 200, { "Content-Type": markdown });
		},
	)
	.put(
		"/:name",
		operation({
			tag,
			summary: "Make or replace an agent",
			permission: "agent:edit",
			body: agentBody,
			answers: { 200: savedAgent, 201: savedAgent },
		}),
		async (c) => {
			const agent = await putAgent(c.var.db, await readAgent(c, c.req.param("name")), new Date());
			const isNew = agent.createdAt.getTime() === agent.updatedAt.getTime();
			return c.json(await saved(c, agent), isNew ? 201 : 200);
		},
	)
	.patch(
		"/:name",
		operation({
			tag,
			summary: "Change some fields of an agent",
			description: "A JSON merge patch (RFC 7396): null removes a field.",
			permission: "agent:edit",
			body: { "application/merge-patch+json": withExample(z.record(z.string(), z.unknown()), examplePatch) },
			answers: { 200: savedAgent },
			errors: ["not_found", "conflict"],
		}),
		async (c) => {
			const patch = await readJson(c);
			const seen = await getAgent(c.var.db, c.req.param("name"));
			const profile = parseInput(agentProfile, mergePatch(seen.profile, patch));
			requireName(profile, seen.name);
			requireModel(profile, c.var.deployment);
			requireSecretUse(c.var.principal, profile.provider, seen.profile.provider);
			return c.json(await saved(c, await changeAgent(c.var.db, seen, profile, new Date())));
		},
	)
	.delete(
		"/:name",
		operation({
			tag,
			summary: "Delete an agent",
			permission: "agent:edit",
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found"],
		}),
		async (c) => {
			await deleteAgent(c.var.db, c.req.param("name"));
			return c.body(null, 204);
		},
	);

const viewOf = ({ profile, createdAt, updatedAt }: Agent) => ({ ...profile, createdAt, updatedAt });

const saved = async (c: Context<AppEnv>, agent: Agent) => ({
	...viewOf(agent),
	warnings: warningsOf(agent.profile, await c.var.loadSnapshot()),
});
