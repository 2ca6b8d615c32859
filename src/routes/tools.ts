import { type Context, Hono } from "hono";
import * as z from "zod";
import { inputSchemaOf, specOf } from "../agent/tools-for";
import type { AppEnv } from "../app-env";
import { pageOf as cutPage } from "../db/page";
import { insertAndReadVersion } from "../db/write-invocations";
import { openConfiguration } from "../durable/configuration";
import type { Deployment } from "../durable/deployment";
import { toRow } from "../durable/flush";
import { registry } from "../durable/registry";
import { surroundingsOf, toolHost } from "../durable/tool-host";
import { directWorkspace } from "../durable/workspace-context";
import { uuid7 } from "../lib/uuid7";
import { type AgentProfile, agentProfile } from "../shared/agent";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import type { Snapshot } from "../shared/snapshot";
import { type ToolResult, viewOfResult } from "../shared/tool-result";
import { executed, execution, toolView } from "../shared/tool-view";
import { callTool, type Invocation } from "../tools/call";
import type { Surroundings, Tool } from "../tools/tool";
import { withExample } from "./described";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { sessionStub } from "./session-stub";
import { validate } from "./validate";

const named = z.object({ name: z.string() });

/** A built-in is switched off by policy, never by its record (X13). */
const managed = operation({
	tag: "tools",
	summary: "Refused: built-in tools are managed",
	permission: "policy:edit",
	answers: {},
	errors: ["builtin_managed"],
});

export const tools = new Hono<AppEnv>()
	.get(
		"/",
		operation({
			tag: "tools",
			summary: "Every tool",
			permission: "tool:list",
			answers: { 200: pageOf(toolView) },
		}),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor } = c.req.valid("query");
			const around = surroundingsOf(c.var.deployment, await c.var.loadSnapshot());
			const from = registry.tools.findIndex(({ name }) => name === cursor) + 1;
			const page = cutPage(registry.tools.slice(from, from + limit + 1), limit, ({ name }) => name);
			return c.json(
				answerPage(page, (tool) => viewOf(tool, around)),
				200,
			);
		},
	)
	.get(
		"/:name",
		operation({
			tag: "tools",
			summary: "One tool",
			permission: "tool:list",
			answers: { 200: toolView },
			errors: ["not_found"],
		}),
		validate("param", named),
		async (c) => {
			const { name } = c.req.valid("param");
			const tool = registry.find(name);
			if (!tool) throw new AppError("not_found", `No tool ${name}. GET /api/v1/tools lists them.`);
			return c.json(viewOf(tool, surroundingsOf(c.var.deployment, await c.var.loadSnapshot())), 200);
		},
	)
	.on(["PUT", "PATCH", "DELETE"], "/:name", managed, (c) => {
		throw new AppError(
			"builtin_managed",
			`${c.req.param("name")} comes with the system and cannot be changed over the API. To switch it off, set its policy to "deny" with PUT /api/v1/policy.`,
		);
	})
	.post(
		"/:name/execute",
		operation({
			tag: "tools",
			summary: "Run a tool",
			description: `Every gate holds: the profile of \`agent\` (or the token's default agent; an administrator without either may call every tool),
the policy, the lists and the limits. A refused or failed call is in the audit like any other.
400, 403 and 404 carry the tool result beside \`error\`.`,
			permission: "tool:execute",
			answers: { 200: executed },
			errors: ["invalid_input", "not_found", "forbidden"],
		}),
		validate("param", named),
		validate("json", withExample(execution, { arguments: { timezone: "Asia/Shanghai" } })),
		async (c) => {
			const { agent, sessionId, jobId, arguments: input } = c.req.valid("json");
			if (sessionId) await requireSession(c, sessionId);
			const call = { id: uuid7(), name: c.req.valid("param").name, input: { ok: true, value: input } as const };
			const work = executeInForce(c, { agent: agent ?? c.var.defaultAgent, sessionId, jobId, call });
			// A client that hangs up takes neither the call nor its record with it.
			c.executionCtx.waitUntil(work.catch(() => undefined));
			const result = await work;
			const status = statusFor(result);
			const error = !result.success &&
				status !== 200 && { code: result.code, message: result.errorMessage, requestId: c.var.requestId };
			return c.json({ invocationId: call.id, ...viewOfResult(result), ...(error && { error }) }, status as 200);
		},
	);

function viewOf(tool: Tool, around: Surroundings): z.output<typeof toolView> {
	const unavailableReason = tool.unavailable?.(around) ?? null;
	return {
		name: tool.name,
		group: tool.group,
		description: specOf(tool, around).description,
		inputSchema: inputSchemaOf(tool),
		aliases: [...registry.facesOf(tool)],
		aliasOf: tool.aliasOf ?? null,
		origin: "builtin",
		effects: tool.effects,
		idempotent: tool.idempotent,
		callable: true,
		available: unavailableReason === null,
		unavailableReason,
	};
}

/** The profile a direct call is judged by. An administrator's lists every tool; one without a default agent lists none (X46). */
function profileFor(c: Context<AppEnv>, { agents }: Snapshot, name: string | undefined): AgentProfile {
	const stored = name === undefined ? undefined : agents.get(name);
	if (stored) return stored;
	if (name !== undefined) throw new AppError("not_found", `No agent ${name}. GET /api/v1/agents lists them.`);
	return c.var.principal.role === "admin" ? everyTool : noTool;
}

const everyTool = agentProfile.parse({ name: "admin", tools: ["*"], workspace: directWorkspace });
const noTool = agentProfile.parse({ name: "default" });
const nameAnAgent =
	'Whose tools apply is not said: name an agent that lists the tool as "agent", or use a token that has a default agent.';

async function requireSession(c: Context<AppEnv>, sessionId: string): Promise<void> {
	if (!(await sessionStub(c, sessionId).describe(c.var.principal)))
		throw new AppError("not_found", `No session ${sessionId}.`);
}

interface DirectCall {
	readonly agent: string | undefined;
	readonly sessionId: string | undefined;
	readonly jobId: string | undefined;
	readonly call: { readonly id: string; readonly name: string; readonly input: { ok: true; value: unknown } };
}

/**
 * Runs a call on the configuration in force. One of which nothing but its record can come runs on the configuration at hand,
 * and the write of its record tells whether that is still in force: if not, it runs again and the new record replaces the old.
 * So such a call costs one round trip to D1, and a change is in force at the next request all the same.
 */
async function executeInForce(c: Context<AppEnv>, direct: DirectCall): Promise<ToolResult> {
	const atHand = c.var.snapshotAtHand;
	if (atHand && leavesNoTrace(c.var.deployment, atHand, direct)) {
		const { result, version } = await execute(c, atHand, direct);
		if (version === atHand.version) return result;
	}
	return (await execute(c, await c.var.loadSnapshot(), direct)).result;
}

function leavesNoTrace(deployment: Deployment, snapshot: Snapshot, { agent, sessionId, call }: DirectCall): boolean {
	// A session would keep what is cut off; an agent that is not at hand may have been made just now.
	if (sessionId !== undefined || (agent !== undefined && !snapshot.agents.has(agent))) return false;
	const tool = registry.find(call.name);
	const input = tool?.input.safeParse(call.input.value);
	if (!tool || !input?.success) return true;
	return tool.effects === "read" && tool.touches(input.data, surroundingsOf(deployment, snapshot)).length === 0;
}

/** Runs one call outside any turn: D1 has its row before the answer goes out, an effect's intent before the effect. */
async function execute(c: Context<AppEnv>, snapshot: Snapshot, { agent, sessionId, jobId, call }: DirectCall) {
	const { deployment, principal, db } = c.var;
	const profile = profileFor(c, snapshot, agent);
	const owner = { sessionId: sessionId ?? null, turnId: null, agent: profile.name, principal: principal.id };
	let version: number | undefined;
	const write = async (invocation: Invocation) => {
		version = await insertAndReadVersion(db, [toRow(invocation, owner)]);
	};
	const configuration = await openConfiguration(deployment, snapshot);
	const host = {
		...toolHost(deployment, configuration, { profile, principal, sessionId, turnId: undefined, jobId }, fetch),
		profileHint: profile === noTool ? nameAnAgent : undefined,
		intend: write,
		record: write,
		keepArtifact: async (content: string) => {
			if (!sessionId) return undefined;
			const id = uuid7();
			return (await sessionStub(c, sessionId).keepArtifact(principal, id, content)) ? id : undefined;
		},
	};
	return { result: await callTool(host, call, new AbortController().signal), version };
}

/** What a refusal is over HTTP; a tool that ran and failed is still an answer. */
function statusFor(result: ToolResult): 200 | 400 | 403 | 404 | 429 {
	if (result.success || !result.meta?.gate) return 200;
	if (result.code === "unknown_tool") return 404;
	if (result.code === "invalid_arguments") return 400;
	if (result.code === "rate_limited") return 429;
	return 403;
}
