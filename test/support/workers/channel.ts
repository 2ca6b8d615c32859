import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ChannelObject } from "../../../src/durable/channel";
import type { DeliveryJob } from "../../../src/durable/channel-job";
import { seal } from "../../../src/lib/seal";
import { uuid7 } from "../../../src/lib/uuid7";
import { notifiers } from "../../../src/notify";
import type { ChannelConfig, ChannelType, DeliveryVerdict } from "../../../src/shared/channel";

interface ChannelFields {
	readonly type?: ChannelType;
	readonly url?: string;
	readonly secret?: string;
	readonly config?: ChannelConfig;
}

const token = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
export const webhookUrl = `https://hooks.example.com/team/${token}`;

export const dingtalk = {
	type: "dingtalk",
	url: `https://oapi.dingtalk.com/robot/send?access_token=${"a1".repeat(32)}`,
} as const;

/** A channel in D1, its object, and short ways to use it; the object is asked for anew each time, as after an abort it must be. */
export async function channel({ type = "webhook", url = webhookUrl, secret, config = {} }: ChannelFields = {}) {
	const name = `群 ${uuid7()}`;
	const aad = `notify_channels|${name}`;
	const masterKey = env.ORYX_MASTER_KEY ?? "";
	const sealed = {
		name,
		type,
		url: await seal(masterKey, `${aad}|url`, notifiers[type].normalise(url, config, secret)),
		secret: secret === undefined ? null : await seal(masterKey, `${aad}|secret`, secret),
		config,
	};
	await env.DB.prepare(
		"INSERT INTO notify_channels (name, type, url, url_shown, secret, config_json, created_at, updated_at) VALUES (?, ?, ?, '', ?, ?, 0, 0)",
	)
		.bind(name, type, sealed.url, sealed.secret, JSON.stringify(config))
		.run();
	const stub = () => env.CHANNEL.getByName(name);
	const job = (content: string, deliveryId = uuid7()): DeliveryJob => ({
		deliveryId,
		channel: sealed,
		notice: { content, agent: "reporter", sessionId: "s-1", deliveryId },
		sessionId: "s-1",
		agent: "reporter",
	});
	return {
		name,
		sealed,
		stub,
		job,
		deliver: async (content: string, deliveryId?: string): Promise<DeliveryVerdict> =>
			await stub().deliver(job(content, deliveryId)),
		inside: <Result>(use: (object: ChannelObject, state: DurableObjectState) => Result | Promise<Result>) =>
			runInDurableObject(stub(), use),
		/** The object's clock from now on, until it dies: sleeping passes the time at once. */
		async fastClock(start = Date.now()) {
			const clock = { now: start, slept: [] as number[] };
			await runInDurableObject(stub(), ({ outside }: ChannelObject) => {
				Object.assign(outside, {
					now: () => clock.now,
					random: () => 0,
					sleep: async (ms: number) => {
						clock.slept.push(ms);
						clock.now += ms;
					},
				});
			});
			return clock;
		},
		recorded: async (deliveryId: string) =>
			await env.DB.prepare("SELECT * FROM notify_deliveries WHERE id = ?").bind(deliveryId).first(),
		row: async () => await env.DB.prepare("SELECT * FROM notify_channels WHERE name = ?").bind(name).first(),
	};
}
