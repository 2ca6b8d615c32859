import { Hono } from "hono";
import * as z from "zod";
import { version } from "../../package.json";
import type { AppEnv } from "../app-env";
import { databaseError } from "../db/database-error";
import { isSealedOtherwise } from "../db/secrets";
import { lookUp } from "../db/token-lookup";
import type { Deployment } from "../durable/deployment";
import { runnerName } from "../durable/runner";
import { modelFor } from "../durable/step-world";
import { seal, sealedPrefix } from "../lib/seal";
import { ModelError } from "../llm/provider";
import { toAppError } from "../shared/errors";
import { sandboxBackend } from "../shared/runner";
import { operation } from "./operation";

const health = z.object({
	status: z.enum(["ok", "degraded"]),
	version: z.string(),
	database: z.object({ reachable: z.boolean() }),
	runner: z.object({
		state: z
			.enum(["off", "asleep", "unreachable", "ready"])
			.describe("`asleep`: the container is woken by the first call that needs it."),
		reason: z.string().optional(),
		version: z.string().optional(),
		programs: z.array(z.string()).optional().describe("Programs that it has, of those that agents commonly use."),
	}),
	sandbox: z
		.object({
			backend: sandboxBackend.nullable().describe("What confines programs; null while no runner can say."),
			layers: z.array(z.string()),
			failed: z
				.array(z.object({ backend: sandboxBackend, reason: z.string() }))
				.describe("What did not hold when it was tried."),
			unsupportedLimits: z.array(z.object({ limit: z.string(), reason: z.string() })),
			egressProblem: z.string().optional().describe("Why no program can be given a network; absent where it can."),
			reason: z.string().optional(),
		})
		.describe("Of the runner's programs."),
	model: z.string().describe("`provider:model` in force where an agent names none; `manual` when there is none."),
	problems: z.array(z.string()).describe("What is wrong with the deployment, and what to do about it."),
});

export const healthCheck = new Hono<AppEnv>().get(
	"/",
	operation({
		tag: "system",
		summary: "Liveness, version, and what is in force",
		permission: "public",
		answers: { 200: health, 503: health },
	}),
	async (c) => {
		const { deployment } = c.var;
		const databaseProblem = await problemOf(() => lookUp(deployment.db, undefined));
		const blocking = [
			databaseProblem,
			deployment.adminToken ? undefined : "ORYX_ADMIN_TOKEN is not set.",
			await problemOf(() => seal(deployment.masterKey, "health", "")),
		].filter((problem) => problem !== undefined);
		const own = blocking.length > 0 ? [] : await sealProblems(deployment);
		const runner = await runnerHealthOf(deployment);
		const problems = [
			...blocking,
			...own,
			...deployment.problems,
			...(await modelProblems(deployment)),
			...runnerProblems(runner),
		];
		const answer: Health = {
			status: problems.length > 0 ? "degraded" : "ok",
			version,
			database: { reachable: databaseProblem === undefined },
			...runner,
			model: deployment.model.name ?? "manual",
			problems,
		};
		return c.json(answer, blocking.length > 0 ? 503 : 200);
	},
);

type Health = z.output<typeof health>;

/** Asked without waking a container. */
async function runnerHealthOf({ runner, hasRunner }: Deployment): Promise<Pick<Health, "runner" | "sandbox">> {
	const said = hasRunner ? await runner.getByName(runnerName).state() : ({ state: "off", reason: noRunner } as const);
	if (said.state !== "ready") {
		return {
			runner: said,
			sandbox: { backend: null, layers: [], failed: [], unsupportedLimits: [], reason: said.reason },
		};
	}
	const { programs, version: runnerVersion } = said.health;
	const { refusal, ...sandbox } = said.health.sandbox;
	return {
		runner: { state: "ready", version: runnerVersion, programs },
		sandbox: { ...sandbox, ...(refusal !== undefined && { reason: refusal }) },
	};
}

const noRunner = "No runner is connected; tools that need real programs are unavailable.";

const runnerProblems = ({ runner, sandbox }: Pick<Health, "runner" | "sandbox">): string[] => {
	if (runner.state === "unreachable") return [`The runner does not answer: ${runner.reason}`];
	if (runner.state !== "ready") return [];
	if (sandbox.reason !== undefined) return [sandbox.reason];
	return sandbox.backend === "none" ? ["No sandbox holds on the runner, so its programs are confined by nothing."] : [];
};

/** Whether the master key is another than the one that sealed what is stored; the rest of the deployment serves all the same. */
async function sealProblems({ db, masterKey }: Deployment): Promise<string[]> {
	if (!(await isSealedOtherwise(db, await sealedPrefix(masterKey)))) return [];
	return [
		"Secrets or channels were stored under another ORYX_MASTER_KEY and cannot be read. Nothing is lost: put that key back, or store them again.",
	];
}

/** Why an agent that names no model could ask none; the model itself is not asked. */
async function modelProblems(deployment: Deployment): Promise<string[]> {
	try {
		await modelFor(deployment, { secret: () => undefined }, undefined, fetch);
		return [];
	} catch (error) {
		return error instanceof ModelError ? [error.message] : ["The model of ORYX_MODEL cannot be used."];
	}
}

/** What an operator must know of a failure, without details that only the log may have. */
async function problemOf(attempt: () => Promise<unknown>): Promise<string | undefined> {
	try {
		await attempt();
		return undefined;
	} catch (error) {
		const { code, message } = databaseError(error) ?? toAppError(error);
		return code === "internal" ? "The database does not answer." : message;
	}
}
