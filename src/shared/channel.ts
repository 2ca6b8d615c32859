import * as z from "zod";
import { channelName } from "./names";

export const channelType = z.enum([
	"feishu",
	"wecom",
	"dingtalk",
	"webhook",
	"slack",
	"discord",
	"telegram",
	"pushover",
]);
export type ChannelType = z.output<typeof channelType>;

/** Options of one channel; a type ignores what it does not know of. */
export const channelConfig = z.strictObject({
	/** Message form: `text` or `markdown` (feishu: `interactive` card). */
	msgtype: z.enum(["text", "markdown", "interactive"]).optional(),
	/** DingTalk and Feishu keyword security: put in front of a text that lacks it. */
	keyword: z.string().max(64).optional(),
	/** Let mentions of everyone through; off, they are neutralised. */
	allowMentions: z.boolean().optional(),
	/** Telegram chat, and its topic. */
	chatId: z.string().max(64).optional(),
	messageThreadId: z.number().int().optional(),
	/** Pushover user or group key. */
	user: z.string().max(64).optional(),
	device: z.string().max(64).optional(),
	priority: z.number().int().min(-2).max(2).optional(),
	sound: z.string().max(32).optional(),
	/** Pushover priority 2 repeats this often, in seconds, and gives up after `expire`. */
	retry: z.number().int().min(30).max(10_800).optional(),
	expire: z.number().int().min(30).max(10_800).optional(),
	/** Generic webhook: `content` sends `{content}` alone; `full` adds title, agent, session, timestamp, deliveryId. */
	body: z.enum(["content", "full"]).optional(),
	/** Generic webhook: name of the signature header. */
	signatureHeader: z.enum(["X-Signature-256", "X-PRX-Signature"]).optional(),
	/** A host that is not one of the type's own (a private gateway in front of the bot). */
	allowHost: z.string().max(253).optional(),
});
export type ChannelConfig = z.output<typeof channelConfig>;

/** A delivery's outcome as the provider's answer tells it, never by HTTP status alone. */
export const deliveryVerdict = z.object({
	ok: z.boolean(),
	/** `delivered`, `failed`, `queued` (waits for the rate limit) or `unknown` (sent, and no answer came). */
	status: z.enum(["delivered", "failed", "queued", "unknown"]),
	httpStatus: z.number().optional(),
	providerCode: z.string().optional(),
	providerMessage: z.string().optional(),
	retryAfterMs: z.number().optional(),
	/** True when trying again cannot help. */
	permanent: z.boolean().optional(),
	partsDelivered: z.number(),
	partsTotal: z.number(),
	attempts: z.number(),
});
export type DeliveryVerdict = z.output<typeof deliveryVerdict>;

const channelFields = z.strictObject({
	type: channelType,
	/** An address is a credential: it is write-only, as `secret` is. Some types take a bare key. */
	url: z.string().max(2_000).optional(),
	secret: z.string().max(1_000).optional(),
	description: z.string().max(1_000).default(""),
	config: channelConfig.prefault({}),
	enabled: z.boolean().default(true),
	/** Meant where a call names no channel; at most one is. */
	isDefault: z.boolean().default(false),
});

export const newChannel = channelFields.extend({
	name: channelName,
	url: z.string().min(1, "Send the address.").max(2_000),
});

/** A channel as a whole, but for its address and secret: empty or left out, they stay as they are. */
export const channelChange = channelFields.extend({
	name: channelName.optional(),
	clear: z
		.array(z.enum(["secret"]))
		.default([])
		.describe("Removes the stored secret."),
});

export const channelView = z.object({
	name: z.string(),
	type: channelType,
	url: z.string().describe("Scheme and host; the rest is a credential and is never shown."),
	configured: z.object({ url: z.literal(true), secret: z.boolean() }),
	description: z.string(),
	config: channelConfig,
	enabled: z.boolean(),
	isDefault: z.boolean(),
	lastDelivery: z
		.object({ status: z.string(), code: z.string().nullable(), error: z.string().nullable() })
		.nullable()
		.describe("How the last attempt went."),
	lastDeliveredAt: z.date().nullable(),
	createdAt: z.date(),
	updatedAt: z.date(),
});

export const deliveryView = z.object({
	id: z.string(),
	channel: z.string(),
	sessionId: z.string().nullable(),
	agent: z.string().nullable(),
	content: z.string(),
	status: z.string(),
	verdict: deliveryVerdict,
	createdAt: z.date(),
	updatedAt: z.date(),
});

export const channelTest = z.object({ success: z.boolean(), verdict: deliveryVerdict });
