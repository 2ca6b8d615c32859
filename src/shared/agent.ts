import * as z from "zod";
import { resourceName } from "./names";

/** Where an agent thinks; absent fields come from the deployment. `apiKey` is `${NAME}` of a stored secret, never a key. */
export const providerConfig = z.strictObject({
	name: z.string().min(1).max(64),
	model: z.string().min(1).max(200).optional(),
	temperature: z.number().min(0).max(2).optional(),
	maxTokens: z.number().int().min(1).max(1_000_000).optional(),
	baseUrl: z.url().max(1_000).optional(),
	apiKey: z
		.string()
		.regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, "Write ${NAME} and store the key as the secret NAME.")
		.optional(),
});
export type ProviderConfig = z.output<typeof providerConfig>;

export const agentSettings = z.strictObject({
	max_iterations: z.number().int().min(1).max(100).default(10),
	max_history_turns: z.number().int().min(0).max(200).default(20),
	/** Tokens one turn may use in all, input and output. */
	max_tokens: z.number().int().min(1).default(1_000_000),
	/** Wall-clock seconds of one turn, waits for people left out. */
	max_seconds: z.number().int().min(1).max(86_400).default(900),
	/** What a failure that no retry can mend does: `feed_back` tells the model, `surface` ends the turn (X3). */
	on_nonretryable: z.enum(["surface", "feed_back"]).optional(),
	write_mode: z.enum(["direct", "staged"]).default("direct"),
});
export type AgentSettings = z.output<typeof agentSettings>;

/** How the agent presents itself. */
const agentIdentity = z.strictObject({
	agent_name: z.string().max(200).optional(),
	prompt: z.string().max(20_000).optional(),
});

const agentSchedule = z.strictObject({
	key: z.string().min(1).max(128),
	name: z.string().max(200).optional(),
	cron: z.string().min(1).max(200),
	zone: z.string().max(64).optional(),
	message: z.string().min(1).max(20_000),
});

/** An agent's profile as the API takes and gives it. `tools` and `deny_tools` take names, globs and aliases. */
export const agentProfile = z.strictObject({
	name: resourceName,
	description: z.string().max(2_000).default(""),
	provider: providerConfig.optional(),
	prompt: z.string().max(200_000).default(""),
	tools: z.array(z.string().min(1).max(128)).max(500).default([]),
	deny_tools: z.array(z.string().min(1).max(128)).max(500).default([]),
	skills: z.array(resourceName).max(100).optional(),
	/** Whose files it works on; absent means a workspace of its own, named as the agent. */
	workspace: resourceName.optional(),
	mcp_servers: z.array(z.string().min(1).max(128)).max(100).default([]),
	settings: agentSettings.prefault({}),
	identity: agentIdentity.optional(),
	/** As written: which conversations the agent listens in, and what it reads first. */
	channels: z.array(z.unknown()).max(100).optional(),
	bootstrap: z.unknown().optional(),
	schedules: z.array(agentSchedule).max(100).optional(),
});
export type AgentProfile = z.output<typeof agentProfile>;

/** An agent as the API answers it. `warnings` say what was saved although nothing answers to it now. */
export const agentView = agentProfile.extend({ createdAt: z.date(), updatedAt: z.date() });
export const savedAgent = agentView.extend({ warnings: z.array(z.string()) });
