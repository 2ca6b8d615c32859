import { Hono } from "hono";
import type { AppEnv } from "../app-env";
import { listLlmCalls } from "../db/llm-calls";
import { llmCallView } from "../shared/invocation";
import { sessionIdSchema } from "../shared/names";
import { pageOf } from "../shared/page";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

export const llmCalls = new Hono<AppEnv>().get(
	"/",
	operation({
		tag: "audit",
		summary: "List model calls",
		description: "With the tokens used and how each ended, newest first.",
		permission: "audit:list",
		answers: { 200: pageOf(llmCallView) },
	}),
	validate("query", pageQuery.extend({ session: sessionIdSchema.optional() })),
	async (c) => {
		const { limit, cursor: after, session: sessionId } = c.req.valid("query");
		return c.json(answerPage(await listLlmCalls(c.var.db, { after, limit, sessionId }), (row) => row));
	},
);
