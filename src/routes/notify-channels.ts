import { Hono } from "hono";
import type { AppEnv } from "../app-env";
import { deleteChannel, getChannel, insertChannel, listChannels, updateChannel } from "../db/notify-channels";
import { channelChange, channelView, newChannel } from "../shared/channel";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import { fieldsOf, viewOf } from "./channel-fields";
import { withExample } from "./described";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "notify channels";
const exampleChannel = { type: "webhook", url: "https://hooks.example.com/crew", isDefault: true } as const;

export const notifyChannels = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "List channels", permission: "channel:list", answers: { 200: pageOf(channelView) } }),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			return c.json(answerPage(await listChannels(c.var.db, { after, limit }), viewOf));
		},
	)
	.post(
		"/",
		operation({
			tag,
			summary: "Register a channel",
			description: "The address is checked against its type now; a test tells whether it delivers.",
			permission: "channel:edit",
			answers: { 201: channelView },
			errors: ["conflict"],
		}),
		validate("json", withExample(newChannel, { name: "crew", ...exampleChannel })),
		async (c) => {
			const { name, ...channel } = c.req.valid("json");
			const fields = await fieldsOf(c.var.deployment, name, { ...channel, clear: [] });
			return c.json(viewOf(await insertChannel(c.var.db, name, fields, new Date())), 201);
		},
	)
	.get(
		"/:name",
		operation({
			tag,
			summary: "Get a channel",
			permission: "channel:list",
			answers: { 200: channelView },
			errors: ["not_found"],
		}),
		async (c) => c.json(viewOf(await getChannel(c.var.db, c.req.param("name")))),
	)
	.put(
		"/:name",
		operation({
			tag,
			summary: "Change a channel",
			description: "As a whole, but for `url` and `secret`: empty or left out, they stay. `clear` removes the secret.",
			permission: "channel:edit",
			answers: { 200: channelView },
			errors: ["not_found"],
		}),
		validate("json", withExample(channelChange, { ...exampleChannel, url: "", description: "The ones ashore." })),
		async (c) => {
			const stored = await getChannel(c.var.db, c.req.param("name"));
			const change = c.req.valid("json");
			if (change.name !== undefined && change.name !== stored.name) {
				throw new AppError("invalid_input", `name: it is ${change.name} in the body and ${stored.name} in the path.`);
			}
			const fields = await fieldsOf(c.var.deployment, stored.name, change, stored);
			return c.json(viewOf(await updateChannel(c.var.db, stored.name, fields, new Date())));
		},
	)
	.delete(
		"/:name",
		operation({
			tag,
			summary: "Delete a channel",
			permission: "channel:edit",
			answers: { 204: { description: "It is gone." } },
			errors: ["not_found"],
		}),
		async (c) => {
			await deleteChannel(c.var.db, c.req.param("name"));
			return c.body(null, 204);
		},
	);
