import { eq } from "drizzle-orm";
import { type AgentProfile, agentProfile } from "../shared/agent";
import type { Snapshot, SnapshotChannel } from "../shared/snapshot";
import { connect, type Db } from "./client";
import { policyOf, policyRows } from "./policy";
import { agents, configVersion, notifyChannels, sandboxWhitelist, secrets, settings, skills } from "./schema";
import { settingsOf } from "./settings";
import { lookUp } from "./token-lookup";
import { whitelistOf } from "./whitelist";

const snapshots = new WeakMap<D1Database, Snapshot>();

/**
 * The configuration in force. Whoever has just read its version hands it in; otherwise that is the one read an unchanged configuration costs.
 * All tables are read in one transaction, so a snapshot is never half of a change.
 */
export async function loadSnapshot(d1: D1Database, knownVersion?: number): Promise<Snapshot> {
	const db = connect(d1);
	const cached = snapshots.get(d1);
	if (cached && cached.version === (knownVersion ?? (await lookUp(db, undefined)).version)) return cached;
	const fresh = await readSnapshot(db);
	snapshots.set(d1, fresh);
	return fresh;
}

/** What this isolate read last, and may be old by now; undefined before the first. */
export const snapshotAtHand = (d1: D1Database): Snapshot | undefined => snapshots.get(d1);

async function readSnapshot(db: Db): Promise<Snapshot> {
	const [versions, entries, policies, settingRows, agentRows, skillRows, channelRows, secretRows] = await db.batch([
		db.select().from(configVersion).where(eq(configVersion.id, 1)),
		db.select().from(sandboxWhitelist).orderBy(sandboxWhitelist.value),
		policyRows(db),
		db.select().from(settings),
		db.select({ name: agents.name, profile: agents.profile }).from(agents).orderBy(agents.name),
		db.select({ name: skills.name, description: skills.description }).from(skills).orderBy(skills.name),
		db.select().from(notifyChannels).orderBy(notifyChannels.name),
		db.select({ name: secrets.name, value: secrets.value }).from(secrets),
	]);
	return {
		version: versions[0]?.version ?? 0,
		whitelist: whitelistOf(entries),
		policy: policyOf(policies),
		settings: settingsOf(settingRows),
		agents: new Map(agentRows.flatMap((row) => readProfile(row.name, row.profile))),
		skills: new Map(skillRows.map((row) => [row.name, row])),
		channels: new Map(channelRows.map((row) => [row.name, snapshotChannel(row)])),
		secrets: new Map(secretRows.map((row) => [row.name, row.value])),
	};
}

/** A profile that an older version stored and this one cannot read is left out, and said so; the others serve. */
function readProfile(name: string, stored: unknown): [string, AgentProfile][] {
	const parsed = agentProfile.safeParse(stored);
	if (parsed.success) return [[name, parsed.data]];
	console.error(JSON.stringify({ event: "agent-unreadable", agent: name, problem: parsed.error.message }));
	return [];
}

const snapshotChannel = (row: typeof notifyChannels.$inferSelect): SnapshotChannel => ({
	name: row.name,
	type: row.type,
	url: row.url,
	secret: row.secret,
	description: row.description,
	config: row.config,
	enabled: row.enabled,
	isDefault: row.isDefault,
});
