import type { AgentProfile } from "./agent";
import type { ChannelConfig, ChannelType } from "./channel";
import type { PolicyDocument } from "./policy";
import type { SettingsDocument } from "./settings";
import type { Whitelist } from "./whitelist";

export interface SnapshotChannel {
	readonly name: string;
	readonly type: ChannelType;
	/** Sealed values, opened only by what sends. */
	readonly url: string;
	readonly secret: string | null;
	readonly description: string;
	readonly config: ChannelConfig;
	readonly enabled: boolean;
	readonly isDefault: boolean;
}

/** The whole configuration at one version, parsed; shared by every request of an isolate until the version moves. */
export interface Snapshot {
	readonly version: number;
	readonly whitelist: Whitelist;
	readonly policy: PolicyDocument;
	readonly settings: SettingsDocument;
	readonly agents: ReadonlyMap<string, AgentProfile>;
	/** Names and descriptions; a body is read on demand. */
	readonly skills: ReadonlyMap<string, { readonly name: string; readonly description: string }>;
	readonly channels: ReadonlyMap<string, SnapshotChannel>;
	/** Sealed values by name. */
	readonly secrets: ReadonlyMap<string, string>;
}
