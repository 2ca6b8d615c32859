import type { Hono } from "hono";
import * as z from "zod";
import { version } from "../../package.json";
import type { AppEnv } from "../app-env";
import { type AppErrorCode, statusOf } from "../shared/errors";
import { jsonSchemaOf, type OperationPart, type Parameter, partOf } from "./described";

const errorAnswer = z.object({
	error: z.object({
		code: z.enum(Object.keys(statusOf) as [AppErrorCode, ...AppErrorCode[]]),
		message: z.string().describe("A full sentence that says what to do."),
		details: z.unknown().optional(),
		requestId: z.string().describe("Also in the header X-Request-Id, and in the log."),
	}),
});

const meanings: Readonly<Record<number, string>> = {
	400: "The request does not fit: the message names the field and the fix. Nothing was stored or sent.",
	401: "No token, or one that is wrong, revoked or expired.",
	403: "The token does not hold the permission, or a gate refused.",
	404: "There is none of that name or id.",
	409: "It clashes with what is there.",
	412: "What stands there is not what If-Match or If-None-Match say.",
	413: "The body is too large, or there is no room for it.",
	415: "The body is not of a type that this route takes.",
	416: "The range lies behind the end of the file.",
	429: "Too many; the header Retry-After says when to come back.",
	500: "Our fault, or the deployment lacks a setting that the message names.",
	502: "A service that this relies on failed.",
	503: "What this needs is not there at the moment.",
};

const description = `Agents that act only through gated, audited tools. 智能体只通过受控、留痕的工具行动。

Send a token as \`Authorization: Bearer …\` (here: the button Authorize). Lists answer \`{items, nextCursor}\`; an error is
\`{"error": {code, message, details?, requestId}}\`, and its message says what to do.

请求须带令牌 \`Authorization: Bearer …\`（在本页点 Authorize）。列表返回 \`{items, nextCursor}\`；错误返回
\`{"error": {code, message, details?, requestId}}\`，其中 message 说明该怎么做。`;

/** In the order of the page. */
const tags: Readonly<Record<string, string>> = {
	agents: "Who acts: a prompt, a model, a list of tools · 智能体",
	turns: "A message to an agent, and what comes of it · 轮次",
	sessions: "Conversations: messages, events, cancelling · 会话",
	skills: "Instructions that agents read when they need them · 技能",
	tools: "What agents act through, and calling one directly · 工具",
	"notify channels": "Groups of people to write to · 通知渠道",
	workspaces: "Agents' files, archives of them, and changes that wait for a commit · 工作区",
	whitelist: "What files, commands and hosts may be reached · 白名单",
	policy: "Which tools may run at all · 工具策略",
	settings: "Limits and vendors of the deployment · 设置",
	models: "Trying a language model out · 语言模型",
	secrets: "Keys for models and search, write-only · 密钥",
	tokens: "Who may call this API · 访问令牌",
	audit: "Every tool call and model call · 审计",
	identity: "Who the token belongs to · 身份",
	system: "Health, and this document · 系统",
};

const documents = new WeakMap<object, object>();

/** The OpenAPI 3.1 document of an app, put together once from what the middleware of its routes say of themselves. */
export function openApiDocument(app: Pick<Hono<AppEnv>, "routes">): object {
	const known = documents.get(app);
	if (known) return known;
	const schema = jsonSchemaOf(errorAnswer, "output");
	const document = {
		openapi: "3.1.0",
		info: { title: "oryx-edge", version, description },
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		paths: pathsOf(app),
		components: {
			securitySchemes: { token: { type: "http", scheme: "bearer", description: "The admin token, or an API token." } },
			responses: Object.fromEntries(
				Object.entries(meanings).map(([status, description]) => [
					status,
					{ description, content: { "application/json": { schema, example: exampleOf(Number(status), description) } } },
				]),
			),
		},
	};
	documents.set(app, document);
	return document;
}

/** With a code that has the status; a viewer would else show the first of all at each. */
const exampleOf = (status: number, message: string) => ({
	error: { code: Object.entries(statusOf).find(([, other]) => other === status)?.[0], message, requestId: "…" },
});

function pathsOf({ routes }: Pick<Hono<AppEnv>, "routes">) {
	const paths = new Map<string, Map<string, OperationPart>>();
	for (const { path, method, handler } of routes) {
		const part = partOf(handler);
		if (!part) continue;
		const template = path.replace(/:(\w+)/g, "{$1}");
		const methods = paths.get(template) ?? new Map<string, OperationPart>();
		const known = methods.get(method.toLowerCase()) ?? bare(method, template);
		paths.set(template, methods.set(method.toLowerCase(), merged(known, part)));
	}
	return Object.fromEntries([...paths].map(([path, methods]) => [path, Object.fromEntries(methods)]));
}

/** An operation of which no more is known than its address. */
function bare(method: string, template: string): OperationPart & { operationId: string } {
	const words = template.split(/\W+/).filter((word) => word !== "" && word !== "api" && word !== "v1");
	const operationId = method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
	const names = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
	return {
		operationId,
		parameters: names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
	};
}

function merged(left: OperationPart, right: OperationPart): OperationPart {
	const parameters = [...(left.parameters ?? []), ...(right.parameters ?? [])];
	const byName = new Map<string, Parameter>(
		parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
	);
	return { ...left, ...right, parameters: [...byName.values()], responses: { ...left.responses, ...right.responses } };
}
