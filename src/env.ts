import type { ChannelObject } from "./durable/channel";
import type { RunnerObject } from "./durable/runner";
import type { SessionObject } from "./durable/session";
import type { WorkspaceObject } from "./durable/workspace";

/** What wrangler.toml binds, and the variables and secrets of a deployment. */
export interface Env {
	readonly DB: D1Database;
	readonly ASSETS: Fetcher;
	readonly SESSION: DurableObjectNamespace<SessionObject>;
	readonly CHANNEL: DurableObjectNamespace<ChannelObject>;
	readonly WORKSPACE: DurableObjectNamespace<WorkspaceObject>;
	readonly RUNNER: DurableObjectNamespace<RunnerObject>;
	readonly AUTH_FAILURES: RateLimit;
	/** Workers AI, where it is configured. */
	readonly AI?: Ai;
	/** Full rights; a secret. */
	readonly ORYX_ADMIN_TOKEN?: string;
	/** 32 bytes, base64; a secret. Seals channel URLs and stored secrets. */
	readonly ORYX_MASTER_KEY?: string;
	/** `1` lets loopback addresses be listed and reached; development only. */
	readonly ORYX_ALLOW_LOOPBACK?: string;
	/** `provider:model`, the default of an agent that names none. */
	readonly ORYX_MODEL?: string;
	readonly ORYX_MODEL_BASE_URL?: string;
	readonly ORYX_MODEL_API_KEY?: string;
	/** Comma-separated origins that may call the API from a browser; none by default. */
	readonly ORYX_CORS_ORIGINS?: string;
	/** Address and token of a runner that is no container of ours: under `npm start`, and where a deployment is hosted otherwise. */
	readonly ORYX_RUNNER_URL?: string;
	readonly ORYX_RUNNER_TOKEN?: string;
	/** Set by `npm start`; absent in a deployment. */
	readonly ORYX_DEV?: string;
	/** Vendor keys by their usual names (`OPENAI_API_KEY` …) are read by the preset that wants them. */
	readonly [vendorKey: `${string}_API_KEY`]: string | undefined;
}
