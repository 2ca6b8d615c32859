import { Hono } from "hono";
import * as z from "zod";
import { version } from "../../package.json";
import type { AppEnv } from "../app-env";
import { databaseError } from "../db/database-error";
import { isSealedOtherwise } from "../db/secrets";
import { lookUp } from "../db/token-lookup";
import type { Deployment } from "../durable/deployment";
import { modelFor } from "../durable/step-world";
import { seal, sealedPrefix } from "../lib/seal";
import { ModelError } from "../llm/provider";
import { toAppError } from "../shared/errors";
import { operation } from "./operation";

const health = z.object({
	status: z.enum(["ok", "degraded"]),
	version: z.string(),
	database: z.object({ reachable: z.boolean() }),
	runner: z.object({ state: z.enum(["off"]), reason: z.string() }),
	sandbox: z.object({ backend: z.enum(["none"]), reason: z.string() }),
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
		const problems = [...blocking, ...own, ...deployment.problems, ...(await modelProblems(deployment))];
		const answer: z.output<typeof health> = {
			status: problems.length > 0 ? "degraded" : "ok",
			version,
			database: { reachable: databaseProblem === undefined },
			runner: { state: "off", reason: "No runner is connected; tools that need real programs are unavailable." },
			sandbox: { backend: "none", reason: "No real program is ever run, so there is nothing to confine." },
			model: deployment.model.name ?? "manual",
			problems,
		};
		return c.json(answer, blocking.length > 0 ? 503 : 200);
	},
);

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
