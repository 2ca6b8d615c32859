import { connect, type Db } from "./db/client";
import type { Env } from "./env";
import type { Principal } from "./shared/principal";
import type { Snapshot } from "./shared/snapshot";

/** What `env` says, read once: routes get values and small interfaces, never `env` itself. */
export interface Deployment {
	readonly db: Db;
	readonly sessions: Env["SESSION"];
	readonly channels: Env["CHANNEL"];
	readonly assets: Env["ASSETS"];
	readonly authFailures: Env["AUTH_FAILURES"];
	readonly ai: Env["AI"];
	readonly adminToken: string | undefined;
	/** 32 bytes, base64; `app.ts` lets no authenticated request through without it. */
	readonly masterKey: string;
	readonly allowLoopback: boolean;
	readonly corsOrigins: readonly string[];
	readonly model: {
		/** `provider:model`, or undefined for the manual model. */
		readonly name: string | undefined;
		readonly baseUrl: string | undefined;
		readonly apiKey: string | undefined;
	};
	/** The value of `OPENAI_API_KEY` and its like. */
	vendorKey(name: `${string}_API_KEY`): string | undefined;
}

export interface Variables {
	readonly requestId: string;
	readonly deployment: Deployment;
	readonly db: Db;
	/** Set by `authenticate`, as are the two below. */
	readonly principal: Principal;
	/** The agent whose profile applies when a call names none. */
	readonly defaultAgent: string | undefined;
	/** The configuration in force; costs a read only when its version has moved. */
	readonly loadSnapshot: () => Promise<Snapshot>;
}

export interface AppEnv {
	Bindings: Env;
	Variables: Variables;
}

const deployments = new WeakMap<Env, Deployment>();

/** The deployment behind `env`; the same object for the same `env`. */
export function deploymentOf(env: Env): Deployment {
	const known = deployments.get(env);
	if (known) return known;
	const deployment: Deployment = {
		db: connect(env.DB),
		sessions: env.SESSION,
		channels: env.CHANNEL,
		assets: env.ASSETS,
		authFailures: env.AUTH_FAILURES,
		ai: env.AI,
		adminToken: env.ORYX_ADMIN_TOKEN || undefined,
		masterKey: env.ORYX_MASTER_KEY ?? "",
		allowLoopback: env.ORYX_ALLOW_LOOPBACK === "1",
		corsOrigins: (env.ORYX_CORS_ORIGINS ?? "")
			.split(",")
			.map((origin) => origin.trim())
			.filter(Boolean),
		model: {
			name: env.ORYX_MODEL || undefined,
			baseUrl: env.ORYX_MODEL_BASE_URL || undefined,
			apiKey: env.ORYX_MODEL_API_KEY || undefined,
		},
		vendorKey: (name) => env[name] || undefined,
	};
	deployments.set(env, deployment);
	return deployment;
}
