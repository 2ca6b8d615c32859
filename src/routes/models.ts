import { type Context, Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { insertLlmCalls } from "../db/llm-calls";
import { type Configuration, openConfiguration } from "../durable/configuration";
import { redactReply } from "../durable/redact-reply";
import { modelFor } from "../durable/step-world";
import { uuid7 } from "../lib/uuid7";
import { ModelError, type ModelReply, type Provider } from "../llm/provider";
import { providerConfig } from "../shared/agent";
import { AppError } from "../shared/errors";
import { requireSecretUse } from "./agent-body";
import { withExample } from "./described";
import { operation } from "./operation";
import { validate } from "./validate";

const modelTest = z.strictObject({
	provider: providerConfig.optional().describe("A provider to try; absent means the agent's, or the deployment's."),
	agent: z.string().max(64).optional(),
	message: z.string().min(1).max(4_000).default("Answer with the one word: ready"),
	tools: z
		.boolean()
		.default(false)
		.describe("Also offers a tool and says whether the model called it: a good answer does not prove that it can."),
});

const modelVerdict = z.object({
	success: z.boolean(),
	provider: z.string().nullable(),
	model: z.string().nullable(),
	answer: z.string().nullable(),
	calledTool: z.boolean().nullable().describe("Null when no tool was offered."),
	finishReason: z.string().nullable(),
	usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
	durationMs: z.number(),
	error: z
		.object({ code: z.string(), message: z.string(), retryable: z.boolean(), retryAfterMs: z.number().nullable() })
		.nullable(),
});
type ModelVerdict = z.output<typeof modelVerdict>;

export const models = new Hono<AppEnv>().post(
	"/test",
	operation({
		tag: "models",
		summary: "Ask a model for real",
		description:
			"Answers 200 with what the model said, or with why it did not: the key, the address, the model's name, the quota.",
		permission: "model:test",
		answers: { 200: modelVerdict },
		errors: ["invalid_input", "not_found"],
	}),
	validate("json", withExample(modelTest, { provider: { name: "manual" }, tools: true })),
	async (c) => {
		const body = c.req.valid("json");
		requireSecretUse(c.var.principal, body.provider);
		const snapshot = await c.var.loadSnapshot();
		const agent = body.agent === undefined ? undefined : snapshot.agents.get(body.agent);
		if (body.agent !== undefined && !agent)
			throw new AppError("not_found", `No agent ${body.agent}. GET /api/v1/agents lists them.`);
		const configuration = await openConfiguration(c.var.deployment, snapshot);
		return c.json(await tryModel(c, configuration, { ...body, provider: body.provider ?? agent?.provider }), 200);
	},
);

async function tryModel(
	c: Context<AppEnv>,
	configuration: Configuration,
	asked: z.output<typeof modelTest>,
): Promise<ModelVerdict> {
	const startedAt = new Date();
	let found: { name: string; model: string } | undefined;
	let outcome: Partial<ModelVerdict>;
	try {
		const model = await modelFor(c.var.deployment, configuration, asked.provider, fetch);
		found = model;
		const message = configuration.redactor.redactKnown(asked.message);
		const reply = redactReply(await ask(model, { ...asked, message }), configuration.redactor);
		outcome = describeReply(reply, asked);
		if (reply.content.trim() === "" && reply.toolCalls.length === 0) outcome = { ...outcome, error: saidNothing };
	} catch (error) {
		const failure = error instanceof ModelError ? error : new ModelError("network", String(error));
		const message = configuration.redactor.redact(failure.message);
		outcome = {
			error: { code: failure.code, message, retryable: failure.retryable, retryAfterMs: failure.retryAfterMs ?? null },
		};
	}
	const verdict: ModelVerdict = {
		success: outcome.error === undefined,
		provider: found?.name ?? asked.provider?.name ?? null,
		model: found?.model ?? asked.provider?.model ?? null,
		answer: null,
		calledTool: null,
		finishReason: null,
		usage: null,
		durationMs: Date.now() - startedAt.getTime(),
		error: null,
		...outcome,
	};
	await recordCall(c, verdict, startedAt);
	return verdict;
}

async function ask(
	{ provider, model }: { provider: Provider; model: string },
	asked: z.output<typeof modelTest>,
): Promise<ModelReply> {
	const message = asked.tools
		? `${asked.message}\n\nFirst call the tool ${probe.name} with the marker "ready".`
		: asked.message;
	const { temperature, maxTokens } = asked.provider ?? {};
	const request = {
		model,
		messages: [{ role: "user", content: message } as const],
		tools: asked.tools ? [probe] : [],
		temperature,
		maxTokens,
	};
	for await (const event of provider.chat(request, AbortSignal.timeout(testTimeoutMs))) {
		if (event.type === "finish") return event.reply;
	}
	throw new ModelError("stream_cut", "The model's answer ended before it was complete.", { retryable: true });
}

const testTimeoutMs = 60_000;

const saidNothing = {
	code: "empty_answer",
	message: "The model answered with nothing. Try again, or choose another model.",
	retryable: true,
	retryAfterMs: null,
};

const probe = {
	name: "report_marker",
	description: "Reports a marker, to show that tools can be called.",
	inputSchema: { type: "object", properties: { marker: { type: "string" } }, required: ["marker"] },
};

const describeReply = (reply: ModelReply, { tools }: { tools: boolean }): Partial<ModelVerdict> => ({
	answer: reply.content,
	calledTool: tools ? reply.toolCalls.some(({ name, input }) => name === probe.name && input.ok) : null,
	finishReason: reply.finishReason,
	usage: reply.usage ? { inputTokens: reply.usage.inputTokens, outputTokens: reply.usage.outputTokens } : null,
});

/** A test costs tokens like any call, so it stands with the others. */
async function recordCall(c: Context<AppEnv>, verdict: ModelVerdict, createdAt: Date): Promise<void> {
	await insertLlmCalls(c.var.db, [
		{
			id: uuid7(),
			sessionId: null,
			turnId: null,
			agent: "model-test",
			provider: verdict.provider ?? "unknown",
			model: verdict.model ?? "unknown",
			inputTokens: verdict.usage?.inputTokens ?? null,
			outputTokens: verdict.usage?.outputTokens ?? null,
			cachedInputTokens: null,
			reasoningTokens: null,
			finishReason: verdict.finishReason,
			success: verdict.success,
			code: verdict.error?.code ?? null,
			errorMessage: verdict.error?.message ?? null,
			attempts: 1,
			durationMs: verdict.durationMs,
			createdAt,
		},
	]);
}
