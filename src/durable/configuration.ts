import { createRedactor, type Redactor } from "../lib/redact";
import { open } from "../lib/seal";
import type { Snapshot } from "../shared/snapshot";
import type { Deployment } from "./deployment";

/** A snapshot with its secrets opened: lives in memory for as long as the snapshot does. */
export interface Configuration {
	readonly snapshot: Snapshot;
	readonly redactor: Redactor;
	secret(name: string): string | undefined;
}

const opened = new WeakMap<Snapshot, Configuration>();

/** Opens the stored secrets of a snapshot once. A secret that does not open is left out, and said so: the others serve. */
export async function openConfiguration(deployment: Deployment, snapshot: Snapshot): Promise<Configuration> {
	const known = opened.get(snapshot);
	if (known) return known;
	const stored = await openAll(
		deployment,
		[...snapshot.secrets].map(([name, sealed]) => ({ name, aad: `secrets|${name}|value`, sealed })),
	);
	const channels = await openAll(
		deployment,
		[...snapshot.channels.values()].flatMap(({ name, url, secret }) => [
			{ name: `channel ${name}`, aad: `notify_channels|${name}|url`, sealed: url },
			...(secret ? [{ name: `channel ${name}`, aad: `notify_channels|${name}|secret`, sealed: secret }] : []),
		]),
	);
	const values = new Map(stored.map(({ name, value }) => [name, value]));
	const configuration = {
		snapshot,
		redactor: createRedactor([...deployment.ownSecrets, ...stored, ...channels]),
		secret: (name: string) => values.get(name),
	};
	opened.set(snapshot, configuration);
	return configuration;
}

interface Sealed {
	readonly name: string;
	readonly aad: string;
	readonly sealed: string;
}

async function openAll(deployment: Deployment, entries: readonly Sealed[]): Promise<{ name: string; value: string }[]> {
	const results = await Promise.all(
		entries.map(async ({ name, aad, sealed }) => {
			try {
				return { name, value: await open(deployment.masterKey, aad, sealed) };
			} catch (error) {
				console.error(JSON.stringify({ event: "secret-unreadable", name, problem: String(error) }));
				return undefined;
			}
		}),
	);
	return results.filter((result) => result !== undefined);
}
