import { Hono } from "hono";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { readPolicy, writePolicy } from "../db/policy";
import { policyDocument } from "../shared/policy";
import { withExample } from "./described";
import { operation } from "./operation";
import { validate } from "./validate";

const tag = "policy";
const examplePolicy = {
	default: "allow",
	groups: { memory: "allow" },
	tools: { http_post: "deny" },
	argumentRules: [{ tool: "http_*", path: "url", pattern: "*/admin/*", action: "deny" }],
	limits: { callsPerMinute: 600, toolCallsPerMinute: { notify: 30 } },
} satisfies z.input<typeof policyDocument>;

export const policy = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "See the tool policy", permission: "policy:list", answers: { 200: policyDocument } }),
		async (c) => c.json(await readPolicy(c.var.db)),
	)
	.put(
		"/",
		operation({
			tag,
			summary: "Replace the tool policy",
			description:
				"As a whole: what is left out takes its default. A tool's own rule wins over its group's, that over the default.",
			permission: "policy:edit",
			answers: { 200: policyDocument },
		}),
		validate("json", withExample(policyDocument, examplePolicy)),
		async (c) => {
			const document = c.req.valid("json");
			await writePolicy(c.var.db, document);
			return c.json(document);
		},
	);
