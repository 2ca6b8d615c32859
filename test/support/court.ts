import * as z from "zod";
import { type PolicyDocument, policyDocument } from "../../src/shared/policy";
import { type SettingsDocument, settingsDocument } from "../../src/shared/settings";
import type { Snapshot } from "../../src/shared/snapshot";
import type { Whitelist } from "../../src/shared/whitelist";
import type { Court } from "../../src/tools/admit";
import { createRegistry } from "../../src/tools/registry";
import { defineAlias, defineTool, type Tool } from "../../src/tools/tool";

export const echo = defineTool({
	name: "echo",
	group: "utility",
	description: "Answers its text.",
	input: z.object({ text: z.string() }),
	effects: "read",
	idempotent: true,
	touches: () => [],
	execute: async (_, { text }) => ({ success: true, content: text }),
});

export const sayAgain = defineAlias(echo, {
	name: "say_again",
	input: z.object({ words: z.string() }),
	map: ({ words }) => ({ text: words }),
});

export const reach = defineTool({
	name: "reach",
	group: "http",
	description: "Reaches a URL, a file or a command.",
	input: z.object({ url: z.string().optional(), file: z.string().optional(), command: z.string().optional() }),
	effects: "external",
	idempotent: false,
	touches: ({ url, file, command }) => [
		...(url ? [{ url, method: "GET", list: "http" as const }] : []),
		...(file ? [{ file, mode: "read" as const }] : []),
		...(command ? [{ command }] : []),
	],
	execute: async () => ({ success: true, content: "reached" }),
});

export const needsRunner = defineTool({
	...echo,
	name: "needs_runner",
	unavailable: ({ runner }) => (runner ? undefined : "It needs the runner, and none is configured."),
});

interface Over {
	readonly tools?: readonly Tool[];
	readonly hasRunner?: boolean;
	readonly policy?: z.input<typeof policyDocument>;
	readonly settings?: z.input<typeof settingsDocument>;
	readonly whitelist?: Partial<Whitelist>;
	readonly profile?: Partial<Court["profile"]>;
	readonly counts?: { all: number; tool: number };
}

export const snapshotWith = (
	policy: PolicyDocument,
	settings: SettingsDocument,
	whitelist: Partial<Whitelist> = {},
): Snapshot => ({
	version: 1,
	whitelist: { FILE: [], SHELL: [], HTTP: [], ...whitelist },
	policy,
	settings,
	agents: new Map(),
	skills: new Map(),
	channels: new Map(),
	secrets: new Map(),
});

/** A court over the tools above: everything allowed by policy and profile, every list empty, unless said otherwise. */
export function court(over: Over = {}): Court {
	const settings = settingsDocument.parse(over.settings ?? {});
	return {
		registry: createRegistry(over.tools ?? [echo, sayAgain, reach, needsRunner]),
		snapshot: snapshotWith(policyDocument.parse(over.policy ?? {}), settings, over.whitelist),
		profile: { name: "a", tools: ["*"], deny_tools: [], ...over.profile },
		around: { settings, channels: [], runner: over.hasRunner ?? false, commands: over.whitelist?.SHELL ?? [] },
		allowLoopback: false,
		countCalls: async () => over.counts ?? { all: 0, tool: 0 },
	};
}
