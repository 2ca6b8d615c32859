import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";

export const root = path.join(import.meta.dirname, "..");
export const devVarsFile = path.join(root, ".dev.vars");

/** What `npm start` was asked to do, from the environment, else from `.dev.vars`. */
export interface StartSettings {
	readonly port: number;
	readonly stateDir: string;
	readonly adminToken: string;
	/** True when this start made the token, so that nobody has seen it yet. */
	readonly isTokenNew: boolean;
	/** Where the token came from, for people. */
	readonly tokenSource: string;
	readonly model: string | undefined;
	/** True when real programs are not wanted. */
	readonly isRunnerOff: boolean;
	/** Everything that the Worker gets as variables; holds secrets. */
	readonly workerVars: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string | undefined>>;

/** Reads the settings; makes the token and the master key where there are none, and keeps them in `.dev.vars`. */
export function readSettings(environment: Values): StartSettings {
	const stored = existsSync(devVarsFile) ? (parseEnv(readFileSync(devVarsFile, "utf8")) as Values) : {};
	const given = { ...stored, ...withoutEmpty(environment) };
	const made = {
		...(given.ORYX_ADMIN_TOKEN ? {} : { ORYX_ADMIN_TOKEN: randomBytes(32).toString("base64url") }),
		...(given.ORYX_MASTER_KEY ? {} : { ORYX_MASTER_KEY: randomBytes(32).toString("base64") }),
	};
	keepInDevVars(made);
	const values: Values = { ...given, ...made };
	return {
		port: parsePort(values.PORT ?? "8787"),
		stateDir: path.resolve(root, values.ORYX_STATE_DIR ?? ".wrangler/state"),
		adminToken: values.ORYX_ADMIN_TOKEN ?? "",
		isTokenNew: "ORYX_ADMIN_TOKEN" in made,
		tokenSource: environment.ORYX_ADMIN_TOKEN
			? "ORYX_ADMIN_TOKEN of the environment"
			: `the line ORYX_ADMIN_TOKEN of ${devVarsFile}`,
		model: values.ORYX_MODEL,
		isRunnerOff: values.ORYX_RUNNER === "off",
		workerVars: { ...workerVarsOf(values), ORYX_DEV: "1" },
	};
}

/** ORYX_* and the vendors' keys: what the Worker may know of the environment. */
function workerVarsOf(values: Values): Record<string, string> {
	const isWorkerVar = (name: string) => /^(ORYX_\w+|\w+_API_KEY)$/.test(name) && name !== "ORYX_STATE_DIR";
	const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
	return Object.fromEntries(entries.filter(([name]) => isWorkerVar(name)));
}

function withoutEmpty(values: Values): Values {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

function parsePort(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
	throw new Error(`PORT is "${text}"; it takes a number from 1 to 65535.`);
}

function keepInDevVars(made: Record<string, string>): void {
	const lines = Object.entries(made).map(([name, value]) => `${name}=${value}\n`);
	if (lines.length === 0) return;
	const before = existsSync(devVarsFile) ? readFileSync(devVarsFile, "utf8") : "";
	const gap = before === "" || before.endsWith("\n") ? "" : "\n";
	writePrivately(devVarsFile, before + gap + lines.join(""));
}

/** Replaces a file at once, readable by its owner only. */
export function writePrivately(file: string, text: string): void {
	const draft = `${file}.${process.pid}`;
	writeFileSync(draft, text, { mode: 0o600 });
	chmodSync(draft, 0o600);
	renameSync(draft, file);
}

/** One line of an env file as wrangler reads it: it expands `$`, even inside quotes. */
export function envFileLine(name: string, value: string): string {
	const quote = ["'", '"', "`"].find((mark) => !value.includes(mark) && !(mark === '"' && value.includes("\\")));
	if (!quote) throw new Error(`The value of ${name} holds every kind of quote; an env file cannot carry that.`);
	return `${name}=${quote}${value.replaceAll("$", "\\$")}${quote}\n`;
}
