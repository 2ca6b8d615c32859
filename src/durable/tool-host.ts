import { countCallsSince } from "../db/count-invocations";
import { appendMemory, searchMemories } from "../db/memories";
import { findSkill } from "../db/skills";
import { createGatedDownload, createGatedFetch } from "../gates/gated-fetch";
import { readShellList } from "../gates/shell-list";
import type { Redactor } from "../lib/redact";
import type { AgentProfile } from "../shared/agent";
import type { DeliveryVerdict } from "../shared/channel";
import type { Principal } from "../shared/principal";
import type { Snapshot } from "../shared/snapshot";
import type { ToolHost } from "../tools/call";
import type { Channels, Memory, Skills, Surroundings } from "../tools/tool";
import type { Configuration } from "./configuration";
import type { Deployment } from "./deployment";
import { toRow } from "./flush";
import { registry } from "./registry";
import { skillsFor } from "./skills-for";
import { wayOut } from "./way-out";
import { filesOf } from "./workspace-files";

/** For whom a tool is called. */
export interface Actor {
	readonly profile: AgentProfile;
	readonly principal: Principal;
	readonly sessionId: string | undefined;
	/** Undefined for a direct execution. */
	readonly turnId: string | undefined;
	/** The job that a direct execution names. */
	readonly jobId?: string | undefined;
}

export const surroundingsOf = (
	{ hasRunner }: Pick<Deployment, "hasRunner">,
	{ settings, channels, whitelist }: Snapshot,
): Surroundings => ({
	settings,
	channels: [...channels.values()].filter(({ enabled }) => enabled).map(({ name }) => name),
	runner: hasRunner,
	commands: [...readShellList(whitelist.SHELL).names],
});

/** The hands of a tool call: everything but where its record goes, which differs between a turn and a direct execution. */
export function toolHost(
	deployment: Deployment,
	{ snapshot, redactor, secret }: Configuration,
	actor: Actor,
	fetcher: typeof fetch,
): Omit<ToolHost, "intend" | "record" | "keepArtifact"> {
	const around = surroundingsOf(deployment, snapshot);
	const { db, allowLoopback } = deployment;
	const { profile, principal, sessionId, turnId } = actor;
	const { settings, whitelist } = snapshot;
	const out = (signal: AbortSignal) => wayOut({ whitelist, settings, allowLoopback }, { fetcher, signal });
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
			fetch: createGatedFetch({ ...out(signal), maxBytes: settings.http.maxResponseBytes }),
			download: createGatedDownload({ ...out(signal), maxBytes: settings.files.maxFileBytes }),
			channels: channelsOf(deployment, { snapshot, redactor }, actor),
			memory: memoryOf(deployment, redactor, actor),
			skills: skillsOf(deployment, snapshot, profile),
			files: filesOf(deployment, snapshot, { actor, callId: call.id, signal }),
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
	const mine = skillsFor(snapshot, profile);
	return {
		list: () => mine,
		read: async (name) => {
			if (!mine.some((skill) => skill.name === name)) return undefined;
			return (await findSkill(db, name))?.content;
		},
	};
}
