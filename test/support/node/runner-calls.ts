import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "../eventually";
import type { Call } from "./api-client";
import type { Home } from "./oryx-process";

/** What a direct call of `shell` answers, refused or not. */
export interface ShellAnswer {
	readonly success: boolean;
	readonly content: string;
	readonly code: string | null;
	readonly retryable: boolean;
	readonly meta: { readonly exitCode?: number; readonly reason?: string };
}

/** Lists these commands and lets interpreters run without being asked. */
export async function allowPrograms(call: Call, commands: readonly string[]): Promise<void> {
	for (const value of commands) await call("POST", "/sandbox/whitelist/SHELL", { value });
	const policy = await call<object>("GET", "/policy");
	await call("PUT", "/policy", { ...policy, tools: { interpreter: "allow" } });
}

/** Runs command lines and reads and writes files in the workspace of an agent. */
export function workspaceOf({ address, token }: Pick<Home, "address" | "token">, agent: string) {
	const request = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) =>
		await fetch(`${address}/api/v1${path}`, {
			method,
			headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
			...(body !== undefined && { body }),
		});
	const fileAt = (path: string) => `/workspaces/${agent}/files?path=${encodeURIComponent(path)}`;
	return {
		async shell(command: string, more: { jobId?: string; timeoutSeconds?: number } = {}): Promise<ShellAnswer> {
			const { jobId, timeoutSeconds } = more;
			const args = { command, ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }) };
			const body = JSON.stringify({ agent, jobId, arguments: args });
			const response = await request("POST", "/tools/shell/execute", body);
			return (await response.json()) as ShellAnswer;
		},
		async put(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
			const response = await request("PUT", fileAt(path), content);
			if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
		},
		/** The bytes of a file; undefined when there is none. */
		async read(path: string): Promise<Buffer | undefined> {
			const response = await request("GET", fileAt(path));
			return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
		},
		/** All that the workspace holds, as a tar. */
		async archive(more = ""): Promise<Buffer> {
			return Buffer.from(await (await request("GET", `/workspaces/${agent}/archive${more}`)).arrayBuffer());
		},
	};
}

export type AgentWorkspace = ReturnType<typeof workspaceOf>;

/** An agent with every tool on the manual model, and its workspace. */
export async function makeAgent(home: Home, call: Call, name: string, settings: object = {}): Promise<AgentWorkspace> {
	await call("POST", "/agents", { name, provider: { name: "manual" }, tools: ["*"], settings });
	return workspaceOf(home, name);
}

/** A program of a few lines; no single quotes in it. */
export const python = (code: string): string => `python3 -c '${code}'`;

/** Ids of living processes whose command line holds `text`, this one left out. */
export function findRunning(text: string): number[] {
	const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
	return pids.filter((pid) => pid !== process.pid && commandLineOf(pid).includes(text));
}

function commandLineOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8");
	} catch {
		return "";
	}
}

/** Resolves when a process with this text in its command line runs. */
export const untilRunning = (text: string) =>
	eventually(
		() => findRunning(text),
		(pids) => pids.length > 0,
	);

/** Resolves when none does. */
export const untilGone = (text: string) =>
	eventually(
		() => findRunning(text),
		(pids) => pids.length === 0,
	);
