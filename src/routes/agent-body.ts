import type { Context } from "hono";
import * as z from "zod";
import { parseAgentMd } from "../agent/agent-md";
import type { AppEnv } from "../app-env";
import type { Deployment } from "../durable/deployment";
import { judgeUrl } from "../gates/url";
import { findPreset, presets } from "../llm/presets";
import { type AgentProfile, agentProfile, type ProviderConfig } from "../shared/agent";
import { AppError } from "../shared/errors";
import { parseInput } from "../shared/parse-input";
import { hasPermission, type Principal } from "../shared/principal";
import { withExample } from "./described";
import { mediaType, readJson } from "./media";

const exampleAgentMd = `---
name: harbour
description: Watches the tide.
tools: [fetch_webpage, notify, current_time]
settings:
  max_iterations: 10
---

When you are asked for the tide, read the page and tell the channel crew.
`;

/** What a whole agent may be sent as. */
export const agentBody = {
	"application/json": withExample(agentProfile.partial({ name: true }), {
		name: "harbour",
		description: "Watches the tide.",
		provider: { name: "manual" },
		prompt: "When you are asked for the tide, read the page and tell the channel crew.",
		tools: ["fetch_webpage", "notify", "current_time"],
	}),
	"text/markdown": withExample(z.string().describe("An AGENT.md."), exampleAgentMd),
};

/** Reads a whole profile, from JSON or an AGENT.md; `name` is the one in the path, which a body may leave out. */
export async function readAgent(c: Context<AppEnv>, name?: string): Promise<AgentProfile> {
	const isMarkdown = mediaType(c) === "text/markdown";
	const profile = isMarkdown
		? parseAgentMd(await c.req.text(), name)
		: parseInput(agentProfile, withName(await readJson(c, "application/json or text/markdown"), name));
	if (name !== undefined) requireName(profile, name);
	requireModel(profile, c.var.deployment);
	const stored = name === undefined ? undefined : (await c.var.loadSnapshot()).agents.get(name);
	requireSecretUse(c.var.principal, profile.provider, stored?.provider);
	return profile;
}

const withName = (body: unknown, name: string | undefined): unknown =>
	isRecord(body) && name !== undefined ? { name, ...body } : body;

/** Throws `invalid_input` when a body names another agent than the path. */
export function requireName(profile: AgentProfile, name: string): void {
	if (profile.name === name) return;
	throw new AppError(
		"invalid_input",
		`name: it is ${profile.name} in the body and ${name} in the path; make them equal.`,
	);
}

/** Throws `invalid_input` for a model that can never be asked: an unknown provider, or an address that no request may go to. */
export function requireModel({ provider }: AgentProfile, { allowLoopback }: Deployment): void {
	if (!provider) return;
	if (!findPreset(provider.name)) {
		throw new AppError("invalid_input", `provider.name: Known are ${Object.keys(presets).join(", ")}.`);
	}
	const verdict = provider.baseUrl ? judgeUrl(provider.baseUrl, { mode: "public", allowLoopback }) : undefined;
	if (verdict && !verdict.ok) throw new AppError("invalid_input", `provider.baseUrl: ${verdict.message}`);
}

/**
 * Throws `forbidden` when a stored secret would be sent to an address of the caller's choice: whoever may choose it can read the secret there.
 * What is stored already may stay.
 */
export function requireSecretUse(principal: Principal, provider?: ProviderConfig, stored?: ProviderConfig): void {
	const { apiKey, baseUrl } = provider ?? {};
	if (!apiKey || !baseUrl || hasPermission(principal, "secret:edit")) return;
	if (stored?.apiKey === apiKey && stored.baseUrl === baseUrl) return;
	throw new AppError(
		"forbidden",
		`provider.apiKey: to have ${apiKey} sent to provider.baseUrl needs the permission secret:edit, which your token does not hold.`,
	);
}

/** Applies a JSON merge patch (RFC 7396): null removes a field, objects are merged, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
	if (!isRecord(patch)) return patch;
	const merged = new Map(Object.entries(isRecord(target) ? target : {}));
	for (const [key, value] of Object.entries(patch)) {
		if (value === null) merged.delete(key);
		else merged.set(key, mergePatch(merged.get(key), value));
	}
	return Object.fromEntries(merged);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
