import { Hono } from "hono";
import type { AppEnv } from "../app-env";
import { getChannel } from "../db/notify-channels";
import { listDeliveries } from "../db/notify-deliveries";
import { uuid7 } from "../lib/uuid7";
import { channelTest, deliveryView } from "../shared/channel";
import { pageOf } from "../shared/page";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

const tag = "notify channels";

/** Below `/api/v1/notify-channels`: what is sent, and how it went. */
export const channelDeliveries = new Hono<AppEnv>()
	.post(
		"/:name/test",
		operation({
			tag,
			summary: "Send a test message, for real",
			description: "The answer is the provider's verdict, whether it delivered or not.",
			permission: "channel:test",
			answers: { 200: channelTest },
			errors: ["not_found"],
		}),
		async (c) => {
			const { name, type, url, secret, config } = await getChannel(c.var.db, c.req.param("name"));
			const deliveryId = uuid7();
			const content = testMessage(name);
			const { channels } = c.var.deployment;
			const verdict = await channels.get(channels.idFromName(name)).deliver({
				deliveryId,
				channel: { name, type, url, secret, config },
				notice: { content, title: "Test", deliveryId },
				sessionId: undefined,
				agent: undefined,
			});
			return c.json({ success: verdict.ok, verdict });
		},
	)
	.get(
		"/:name/deliveries",
		operation({
			tag,
			summary: "List what a channel sent",
			description: "Every delivery and its verdict, newest first.",
			permission: "channel:list",
			answers: { 200: pageOf(deliveryView) },
			errors: ["not_found"],
		}),
		validate("query", pageQuery),
		async (c) => {
			const { limit, cursor: after } = c.req.valid("query");
			const { name } = await getChannel(c.var.db, c.req.param("name"));
			return c.json(answerPage(await listDeliveries(c.var.db, name, { after, limit }), (delivery) => delivery));
		},
	);

const testMessage = (name: string) =>
	`Test of the channel ${name}, sent by oryx-edge. If you can read this, it works.\n渠道 ${name} 的测试消息，由 oryx-edge 发出。能看到它，就说明渠道可用。`;
