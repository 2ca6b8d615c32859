import { countCallsSince } from "../db/count-invocations";
import { appendMemory, searchMemories } from "../db/memories";
import { findSkill } from "../db/skills";
import { createGatedFetch } from "../gates/gated-fetch";
import { urlRules } from "../gates/touches";
import type { Redactor } from "../lib/redact";
import type { AgentProfile } from "../shared/agent";
import type { DeliveryVerdict } from "../shared/channel";
import type { Principal } from "../shared/principal";
import type { Snapshot } from "../shared/snapshot";
import { builtins } from "../tools";
import type { ToolHost } from "../tools/call";
import { createRegistry } from "../tools/registry";
import type { Channels, Memory, Skills, Surroundings } from "../tools/tool";
import type { Configuration } from "./configuration";
import type { Deployment } from "./deployment";
import { toRow } from "./flush";

/** Made once per isolate: the built-ins do not change with the configuration. */
export const registry = createRegistry(builtins);

/** For whom a tool is called. */
export interface Actor {
	readonly profile: AgentProfile;
	readonly principal: Principal;
	readonly sessionId: string | undefined;
	/** Undefined for a direct execution. */
	readonly turnId: string | undefined;
}

export const surroundingsOf = ({ settings, channels }: Snapshot): Surroundings => ({
	settings,
	channels: [...channels.values()].filter(({ enabled }) => enabled).map(({ name }) => name),
	runner: false,
});

/** The hands of a tool call: everything but where its record goes, which differs between a turn and a direct execution. */
export function toolHost(
	deployment: Deployment,
	{ snapshot, redactor, secret }: Configuration,
	actor: Actor,
	fetcher: typeof fetch,
): Omit<ToolHost, "intend" | "record" | "keepArtifact"> {
	const around = surroundingsOf(snapshot);
	const { db, allowLoopback } = deployment;
	const { profile, principal, sessionId, turnId } = actor;
	const { settings, whitelist } = snapshot;
	return {
		registry,
		snapshot,
		profile,
		around,
		allowLoopback,
		redactor,
		now: () => new Date(),
		countCalls: (tools, intent) => {
			const owner = { sessionId: sessionId ?? null, turnId: turnId ?? null };
			const row = toRow(intent, { ...owner, agent: profile.name, principal: principal.id });
			return countCallsSince(db, { intent: row, tools, since: new Date(Date.now() - 60_000) });
		},
		open: (call, _tool, signal) => ({
			agent: profile.name,
			principal,
			sessionId,
			callId: call.id,
			settings,
			fetch: createGatedFetch({
				fetch: fetcher,
				rulesFor: (list, method) => urlRules({ whitelist, settings, allowLoopback }, list, method),
				signal,
				maxBytes: settings.http.maxResponseBytes,
				timeoutMs: settings.http.timeoutSeconds * 1000,
			}),
			channels: channelsOf(deployment, { snapshot, redactor }, actor),
			memory: memoryOf(deployment, redactor, actor),
			skills: skillsOf(deployment, snapshot, profile),
			secret: async (name) => secret(name),
			now: () => new Date(),
			signal,
		}),
	};
}

/** A message for people may hold what only looks like a secret; a known one goes nowhere. */
function channelsOf(
	{ channels: objects }: Deployment,
	{ snapshot, redactor: { redactKnown } }: Pick<Configuration, "snapshot" | "redactor">,
	{ profile, sessionId }: Actor,
): Channels {
	const usable = [...snapshot.channels.values()].filter(({ enabled }) => enabled);
	return {
		names: () => usable.map(({ name }) => name),
		defaultName: () => (usable.length === 1 ? usable[0] : usable.find(({ isDefault }) => isDefault))?.name,
		async deliver(name, { content, title }, deliveryId) {
			const channel = usable.find((candidate) => candidate.name === name);
			if (!channel) return lostVerdict(`No channel ${name}.`, "failed");
			const delivery = {
				deliveryId,
				channel: { name, type: channel.type, url: channel.url, secret: channel.secret, config: channel.config },
				notice: {
					content: redactKnown(content),
					...(title !== undefined && { title: redactKnown(title) }),
					agent: profile.name,
					sessionId,
					deliveryId,
				},
				sessionId,
				agent: profile.name,
			};
			try {
				return await objects.getByName(name).deliver(delivery);
			} catch {
				// The object went away in the middle. It knows its deliveries by id, so asking again sends nothing twice.
				try {
					return await objects.getByName(name).deliver(delivery);
				} catch {
					return lostVerdict("The channel did not answer; whether the message was sent is unknown.", "unknown");
				}
			}
		},
	};
}

const lostVerdict = (providerMessage: string, status: "failed" | "unknown"): DeliveryVerdict => ({
	ok: false,
	status,
	providerMessage,
	permanent: true,
	partsDelivered: 0,
	partsTotal: 1,
	attempts: 0,
});

function memoryOf({ db }: Deployment, { redactKnown }: Redactor, { profile, principal }: Actor): Memory {
	return {
		append: ({ id, content, scope }) =>
			appendMemory(db, {
				id,
				agent: profile.name,
				principal: principal.id,
				category: scope,
				key: null,
				content: redactKnown(content),
				createdAt: new Date(),
			}),
		search: async (keyword, limit) => {
			const rows = await searchMemories(db, { agent: profile.name, keyword, limit });
			return rows.map(({ content, category, createdAt }) => ({ content, scope: category, createdAt }));
		},
	};
}

export function skillsOf({ db }: Deployment, snapshot: Snapshot, profile: AgentProfile): Skills {
	const mine = [...snapshot.skills.values()].filter(({ name }) => profile.skills?.includes(name) ?? true);
	return {
		list: () => mine,
		read: async (name) => {
			if (!mine.some((skill) => skill.name === name)) return undefined;
			return (await findSkill(db, name))?.content;
		},
	};
}
