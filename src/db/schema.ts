import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AgentProfile } from "../shared/agent";
import type { ChannelConfig, ChannelType, DeliveryVerdict } from "../shared/channel";
import type { WhitelistCategory } from "../shared/whitelist";

const createdAt = () => integer("created_at", { mode: "timestamp_ms" }).notNull();
const updatedAt = () => integer("updated_at", { mode: "timestamp_ms" }).notNull();

/** One row, `id` 1: its number moves with every change of configuration, in the same batch. */
export const configVersion = sqliteTable("config_version", {
	id: integer("id").primaryKey(),
	version: integer("version").notNull(),
});

export const agents = sqliteTable("agents", {
	name: text("name").primaryKey(),
	description: text("description").notNull(),
	profile: text("profile_json", { mode: "json" }).$type<AgentProfile>().notNull(),
	createdAt: createdAt(),
	updatedAt: updatedAt(),
});

export const skills = sqliteTable("skills", {
	name: text("name").primaryKey(),
	description: text("description").notNull(),
	/** The whole SKILL.md, front matter included. */
	content: text("content").notNull(),
	createdAt: createdAt(),
	updatedAt: updatedAt(),
});

export const notifyChannels = sqliteTable("notify_channels", {
	name: text("name").primaryKey(),
	type: text("type").$type<ChannelType>().notNull(),
	/** Sealed; AAD `notify_channels|<name>|url`. */
	url: text("url").notNull(),
	/** `https://host/…`, for people. */
	urlShown: text("url_shown").notNull(),
	/** Sealed; AAD `notify_channels|<name>|secret`. */
	secret: text("secret"),
	description: text("description").notNull().default(""),
	config: text("config_json", { mode: "json" }).$type<ChannelConfig>().notNull(),
	enabled: integer("enabled", { mode: "boolean" }).notNull().default(true),
	isDefault: integer("is_default", { mode: "boolean" }).notNull().default(false),
	lastStatus: text("last_status"),
	lastCode: text("last_code"),
	lastError: text("last_error"),
	lastDeliveredAt: integer("last_delivered_at", { mode: "timestamp_ms" }),
	createdAt: createdAt(),
	updatedAt: updatedAt(),
});

export const notifyDeliveries = sqliteTable(
	"notify_deliveries",
	{
		/** The delivery id: the tool call's id, or one made by the test route. */
		id: text("id").primaryKey(),
		channel: text("channel").notNull(),
		sessionId: text("session_id"),
		agent: text("agent"),
		content: text("content").notNull(),
		verdict: text("verdict_json", { mode: "json" }).$type<DeliveryVerdict>().notNull(),
		status: text("status").notNull(),
		createdAt: createdAt(),
		updatedAt: updatedAt(),
	},
	(table) => [index("notify_deliveries_channel").on(table.channel, table.createdAt)],
);

/** The audit: one row per call, refusals included. */
export const toolInvocations = sqliteTable(
	"tool_invocations",
	{
		/** Time-ordered (UUIDv7), so the primary key also serves listing by time. */
		id: text("id").primaryKey(),
		sessionId: text("session_id"),
		toolName: text("tool_name").notNull(),
		inputJson: text("input_json").notNull(),
		resultJson: text("result_json"),
		/** Null while the call is under way: the intent of an effect is written first. */
		success: integer("success", { mode: "boolean" }),
		errorMessage: text("error_message"),
		durationMs: integer("duration_ms"),
		createdAt: createdAt(),
		agent: text("agent"),
		turnId: text("turn_id"),
		principal: text("principal").notNull(),
		code: text("code"),
		/** The step that refused: `profile`, `policy`, `lists` … */
		gate: text("gate"),
		/** SHA-256 of tool name and canonical arguments. */
		argumentDigest: text("argument_digest").notNull(),
	},
	(table) => [index("tool_invocations_session").on(table.sessionId).where(sql`session_id IS NOT NULL`)],
);

export const llmCalls = sqliteTable("llm_calls", {
	/** UUIDv7. */
	id: text("id").primaryKey(),
	sessionId: text("session_id"),
	turnId: text("turn_id"),
	agent: text("agent").notNull(),
	provider: text("provider").notNull(),
	model: text("model").notNull(),
	inputTokens: integer("input_tokens"),
	outputTokens: integer("output_tokens"),
	cachedInputTokens: integer("cached_input_tokens"),
	reasoningTokens: integer("reasoning_tokens"),
	finishReason: text("finish_reason"),
	success: integer("success", { mode: "boolean" }).notNull(),
	code: text("code"),
	errorMessage: text("error_message"),
	attempts: integer("attempts").notNull(),
	durationMs: integer("duration_ms").notNull(),
	createdAt: createdAt(),
});

/** What the list of sessions shows; the session itself lives in its object. */
export const sessions = sqliteTable(
	"sessions",
	{
		id: text("id").primaryKey(),
		agent: text("agent").notNull(),
		principal: text("principal").notNull(),
		/** The first message, cut. */
		title: text("title").notNull(),
		/** Turns begun. */
		turns: integer("turns").notNull(),
		createdAt: createdAt(),
		updatedAt: updatedAt(),
	},
	(table) => [index("sessions_updated").on(table.updatedAt)],
);

export const sandboxWhitelist = sqliteTable(
	"sandbox_whitelist",
	{
		category: text("category").$type<WhitelistCategory>().notNull(),
		value: text("value").notNull(),
		createdAt: createdAt(),
	},
	(table) => [primaryKey({ columns: [table.category, table.value] })],
);

/** The policy document in rows: `scope` default, group, tool, argument, auto_approve, approval or limits. */
export const toolPolicies = sqliteTable(
	"tool_policies",
	{
		scope: text("scope").notNull(),
		/** Group or tool name; the position for ordered rules; empty for single documents. */
		name: text("name").notNull(),
		value: text("value_json", { mode: "json" }).notNull(),
	},
	(table) => [primaryKey({ columns: [table.scope, table.name] })],
);

/** Deployment settings, a row per section of SettingsDocument. */
export const settings = sqliteTable("settings", {
	key: text("key").primaryKey(),
	value: text("value_json", { mode: "json" }).notNull(),
});

export const tokens = sqliteTable("tokens", {
	/** The part of the token that may be shown. */
	id: text("id").primaryKey(),
	name: text("name").notNull(),
	/** SHA-256 of the whole token, hex. */
	hash: text("hash").notNull(),
	role: text("role").$type<"admin" | "user">().notNull(),
	permissions: text("permissions_json", { mode: "json" }).$type<string[]>().notNull(),
	/** The agent whose profile applies when a call names none. */
	defaultAgent: text("default_agent"),
	createdAt: createdAt(),
	expiresAt: integer("expires_at", { mode: "timestamp_ms" }),
});

export const secrets = sqliteTable("secrets", {
	name: text("name").primaryKey(),
	/** Sealed; AAD `secrets|<name>|value`. */
	value: text("value").notNull(),
	/** The last four characters of a value of at least 16, for telling two apart. */
	hint: text("hint").notNull(),
	createdAt: createdAt(),
	updatedAt: updatedAt(),
});

/** One memory model for every face of it (X32). */
export const memories = sqliteTable(
	"memories",
	{
		id: text("id").primaryKey(),
		agent: text("agent").notNull(),
		principal: text("principal").notNull(),
		category: text("category").notNull(),
		key: text("key"),
		content: text("content").notNull(),
		createdAt: createdAt(),
	},
	(table) => [index("memories_agent").on(table.agent, table.category, table.createdAt)],
);

/** `Idempotency-Key` of POST …/turns: which turn a key started, and for which body. */
export const idempotencyKeys = sqliteTable(
	"idempotency_keys",
	{
		principal: text("principal").notNull(),
		key: text("key").notNull(),
		/** SHA-256 of agent name and canonical body. */
		bodyDigest: text("body_digest").notNull(),
		turnId: text("turn_id").notNull(),
		createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull().default(sql`(unixepoch() * 1000)`),
	},
	(table) => [primaryKey({ columns: [table.principal, table.key] })],
);
