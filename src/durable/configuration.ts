import { createRedactor, type Redactor } from "../lib/redact";
import { open } from "../lib/seal";
import { knownSecrets } from "../notify/known-secrets";
import type { Snapshot } from "../shared/snapshot";
import { openTarget } from "./channel-job";
import type { Deployment } from "./deployment";

/** A snapshot with its secrets opened: lives in memory for as long as the snapshot does. */
export interface Configuration {
	readonly snapshot: Snapshot;
	readonly redactor: Redactor;
	/** Undefined for one that is not stored. Throws `misconfigured` for one that is, and does not open. */
	secret(name: string): string | undefined;
}

const opened = new WeakMap<Snapshot, Configuration>();

/** Opens the stored secrets of a snapshot once. One that does not open is said so in the log and where it is used: the others serve. */
export async function openConfiguration(deployment: Deployment, snapshot: Snapshot): Promise<Configuration> {
	const known = opened.get(snapshot);
	if (known) return known;
	const stored = await Promise.all(
		[...snapshot.secrets].map(async ([name, sealed]) => {
			const value = await attempt(name, () => open(deployment.masterKey, `secrets|${name}|value`, sealed));
			return { name, value };
		}),
	);
	const channels = await Promise.all(
		[...snapshot.channels.values()].map(async (channel) => {
			const { name } = channel;
			const pieces = async () => knownSecrets(name, await openTarget(deployment.masterKey, { channel }));
			const known = await attempt(`channel ${name}`, pieces);
			return known instanceof Error ? [] : known;
		}),
	);
	const values = new Map(stored.map(({ name, value }) => [name, value]));
	const readable = stored.flatMap(({ name, value }) => (typeof value === "string" ? [{ name, value }] : []));
	const configuration = {
		snapshot,
		redactor: createRedactor([...deployment.ownSecrets, ...readable, ...channels.flat()]),
		secret: (name: string) => {
			const value = values.get(name);
			if (value instanceof Error) throw value;
			return value;
		},
	};
	opened.set(snapshot, configuration);
	return configuration;
}

async function attempt<Value>(name: string, read: () => Promise<Value>): Promise<Value | Error> {
	try {
		return await read();
	} catch (error) {
		console.error(JSON.stringify({ event: "secret-unreadable", name, problem: String(error) }));
		return error instanceof Error ? error : new Error(String(error));
	}
}
