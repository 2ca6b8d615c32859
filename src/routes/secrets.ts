import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { deleteSecret, getSecret, listSecrets, putSecret, type SecretHead } from "../db/secrets";
import { seal } from "../lib/seal";
import { pageOf } from "../shared/page";
import { parseInput } from "../shared/parse-input";
import { newSecret, secretName, secretView } from "../shared/secret";
import { withExample } from "./described";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "secrets";

export const secrets = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "List secrets", permission: "secret:list", answers: { 200: pageOf(secretView) } }),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			return c.json(answerPage(await listSecrets(c.var.db, { after, limit }), viewOf));
		},
	)
	.get(
		"/:name",
		operation({
			tag,
			summary: "See that a secret is stored",
			permission: "secret:list",
			answers: { 200: secretView },
			errors: ["not_found"],
		}),
		async (c) => c.json(viewOf(await getSecret(c.var.db, c.req.param("name")))),
	)
	.put(
		"/:name",
		operation({
			tag,
			summary: "Store or replace a secret",
			description: "For `${NAME}` in an agent's `provider.apiKey`. The value is sealed at once and never answered.",
			permission: "secret:edit",
			answers: { 200: secretView },
		}),
		validate("json", withExample(newSecret, { value: "the key itself" })),
		async (c) => {
			const name = parseInput(z.object({ name: secretName }), { name: c.req.param("name") }).name;
			const { value } = c.req.valid("json");
			const sealed = await seal(c.var.deployment.masterKey, `secrets|${name}|value`, value);
			const hint = value.length >= 16 ? value.slice(-4) : "";
			return c.json(viewOf(await putSecret(c.var.db, { name, value: sealed, hint }, new Date())));
		},
	)
	.delete(
		"/:name",
		operation({
			tag,
			summary: "Delete a secret",
			permission: "secret:edit",
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found"],
		}),
		async (c) => {
			await deleteSecret(c.var.db, c.req.param("name"));
			return c.body(null, 204);
		},
	);

const viewOf = (secret: SecretHead) => ({ ...secret, configured: true as const });
