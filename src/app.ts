import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { except } from "hono/combine";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import type { AppEnv } from "./app-env";
import { deploymentOf } from "./durable/deployment";
import { accessLog } from "./routes/access-log";
import { agents } from "./routes/agents";
import { authenticate } from "./routes/authenticate";
import { channelDeliveries } from "./routes/channel-deliveries";
import { docs } from "./routes/docs";
import { answerError, answerNotFound } from "./routes/error-answer";
import { healthCheck } from "./routes/health";
import { llmCalls } from "./routes/llm-calls";
import { me } from "./routes/me";
import { models } from "./routes/models";
import { notifyChannels } from "./routes/notify-channels";
import { openApiDocument } from "./routes/openapi";
import { operation } from "./routes/operation";
import { policy } from "./routes/policy";
import { secrets } from "./routes/secrets";
import { securityHeaders } from "./routes/security-headers";
import { sessions } from "./routes/sessions";
import { settings } from "./routes/settings";
import { skills } from "./routes/skills";
import { tokens } from "./routes/tokens";
import { toolInvocations } from "./routes/tool-invocations";
import { tools } from "./routes/tools";
import { agentTurns, turns } from "./routes/turns";
import { whitelist } from "./routes/whitelist";
import { workspaceArchive } from "./routes/workspace-archive";
import { workspaceFiles } from "./routes/workspace-files";
import { workspaceJobs } from "./routes/workspace-jobs";
import { workspaces } from "./routes/workspaces";
import { AppError } from "./shared/errors";

const maxBodyBytes = 1_048_576;

/** Files and archives, which are counted as they come: nothing of them is held. */
const takesAnyLength = ({ req: { method, path } }: Context): boolean =>
	(method === "PUT" && /^\/api\/v1\/workspaces\/[^/]+\/files$/.test(path)) ||
	(method === "POST" && /^\/api\/v1\/workspaces\/[^/]+\/archive$/.test(path));

const describeDocument = operation({
	tag: "system",
	summary: "This document",
	permission: "public",
	answers: { 200: { description: "OpenAPI 3.1." } },
});

const routes = new Hono<AppEnv>()
	.use(requestId())
	.use(accessLog)
	.use(securityHeaders)
	.use(async (c, next) => {
		const deployment = deploymentOf(c.env);
		c.set("deployment", deployment);
		c.set("db", deployment.db);
		await next();
	})
	.use(
		cors({
			origin: (origin, c) => (c.var.deployment.corsOrigins.includes(origin) ? origin : null),
			allowHeaders: [
				...["Authorization", "Content-Type", "Accept", "Idempotency-Key", "Last-Event-ID", "Prefer"],
				...["Range", "If-Match", "If-None-Match", "If-Range"],
			],
			exposeHeaders: ["X-Request-Id", "Retry-After", "ETag", "Content-Range", "Content-Disposition"],
			maxAge: 600,
		}),
	)
	.use(
		except(
			takesAnyLength,
			bodyLimit({
				maxSize: maxBodyBytes,
				onError: () => {
					throw new AppError("too_large", `A body may have at most ${maxBodyBytes} bytes.`);
				},
			}),
		),
	)
	.get("/", (c) => c.redirect("/docs"))
	.route("/health", healthCheck)
	.route("/docs", docs)
	.get("/api/v1/openapi.json", describeDocument, (c) => c.json(openApiDocument(app)))
	.use("/api/*", authenticate)
	.route("/api/v1/me", me)
	.route("/api/v1/agents", agents)
	.route("/api/v1/agents", agentTurns)
	.route("/api/v1/turns", turns)
	.route("/api/v1/sessions", sessions)
	.route("/api/v1/skills", skills)
	.route("/api/v1/tools", tools)
	.route("/api/v1/tool-invocations", toolInvocations)
	.route("/api/v1/llm-calls", llmCalls)
	.route("/api/v1/models", models)
	.route("/api/v1/notify-channels", notifyChannels)
	.route("/api/v1/notify-channels", channelDeliveries)
	.route("/api/v1/workspaces", workspaces)
	.route("/api/v1/workspaces", workspaceFiles)
	.route("/api/v1/workspaces", workspaceArchive)
	.route("/api/v1/workspaces", workspaceJobs)
	.route("/api/v1/sandbox/whitelist", whitelist)
	.route("/api/v1/policy", policy)
	.route("/api/v1/settings", settings)
	.route("/api/v1/secrets", secrets)
	.route("/api/v1/tokens", tokens)
	.notFound(answerNotFound)
	.onError(answerError);

/** For the typed client of the console and the command line. @public */
export type AppType = typeof routes;

export const app: Hono<AppEnv> = routes;
