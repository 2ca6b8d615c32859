import { connect, type Db } from "../db/client";
import type { Env } from "../env";
import { AppError } from "../shared/errors";

/** What `env` says, read once: everything else gets values and small interfaces, never `env` itself. */
export interface Deployment {
	readonly db: Db;
	readonly sessions: Env["SESSION"];
	readonly channels: Env["CHANNEL"];
	readonly workspaces: Env["WORKSPACE"];
	readonly runner: Env["RUNNER"];
	/** Whether real programs can be run: a deployment has its container, `npm start` an address. */
	readonly hasRunner: boolean;
	readonly assets: Env["ASSETS"];
	readonly authFailures: Env["AUTH_FAILURES"];
	readonly ai: Env["AI"];
	readonly adminToken: string | undefined;
	/** 32 bytes, base64. Throws `misconfigured` when the deployment has none. */
	readonly masterKey: string;
	/** Only under `npm start`: a deployed Worker refuses it, whatever its variables say. */
	readonly allowLoopback: boolean;
	/** What of the environment is refused, for `/health`. */
	readonly problems: readonly string[];
	readonly corsOrigins: readonly string[];
	readonly model: {
		/** `provider:model`, or undefined for the manual model. */
		readonly name: string | undefined;
		readonly baseUrl: string | undefined;
		readonly apiKey: string | undefined;
	};
	/** The value of `OPENAI_API_KEY` and its like. */
	vendorKey(name: string): string | undefined;
	/** Every secret the environment itself holds, for redaction. */
	readonly ownSecrets: readonly { readonly name: string; readonly value: string }[];
}

const deployments = new WeakMap<Env, Deployment>();

/** The deployment an environment describes; made once per isolate. */
export function deploymentOf(env: Env): Deployment {
	const known = deployments.get(env);
	if (known) return known;
	const deployment = readDeployment(env);
	deployments.set(env, deployment);
	return deployment;
}

function readDeployment(env: Env): Deployment {
	const variable = (name: string): string | undefined => {
		const value: unknown = Reflect.get(env, name);
		return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
	};
	const wantsLoopback = variable("ORYX_ALLOW_LOOPBACK") === "1";
	const isDevelopment = variable("ORYX_DEV") === "1";
	return {
		db: connect(env.DB),
		sessions: env.SESSION,
		channels: env.CHANNEL,
		workspaces: env.WORKSPACE,
		runner: env.RUNNER,
		hasRunner: !isDevelopment || variable("ORYX_RUNNER_URL") !== undefined,
		assets: env.ASSETS,
		authFailures: env.AUTH_FAILURES,
		ai: env.AI,
		adminToken: variable("ORYX_ADMIN_TOKEN"),
		get masterKey() {
			const key = variable("ORYX_MASTER_KEY");
			if (key) return key;
			throw new AppError(
				"misconfigured",
				"ORYX_MASTER_KEY is not set. Set it with `wrangler secret put ORYX_MASTER_KEY`.",
			);
		},
		allowLoopback: wantsLoopback && isDevelopment,
		problems: wantsLoopback && !isDevelopment ? [loopbackRefused] : [],
		corsOrigins: (variable("ORYX_CORS_ORIGINS") ?? "")
			.split(",")
			.map((origin) => origin.trim())
			.filter(Boolean),
		model: {
			name: variable("ORYX_MODEL"),
			baseUrl: variable("ORYX_MODEL_BASE_URL"),
			apiKey: variable("ORYX_MODEL_API_KEY"),
		},
		vendorKey: (name) => (isVendorKey(name) ? variable(name) : undefined),
		ownSecrets: Object.keys(env)
			.filter((name) => isVendorKey(name) || secretNames.includes(name))
			.flatMap((name) => {
				const value = variable(name);
				return value ? [{ name, value }] : [];
			}),
	};
}

const secretNames = ["ORYX_ADMIN_TOKEN", "ORYX_MASTER_KEY", "ORYX_RUNNER_TOKEN"];

const loopbackRefused = "ORYX_ALLOW_LOOPBACK is for development and is refused here. Remove the variable.";

const isVendorKey = (name: string) => name.endsWith("_API_KEY");
