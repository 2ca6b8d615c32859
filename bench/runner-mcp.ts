import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../scripts/free-port.ts";
import { root } from "../scripts/settings.ts";
import { mcpPeers } from "../test/support/node/mcp-peers.ts";
import { type Measure, median, round, takeTurns } from "./measure.ts";

const warmUps = 200;
const rounds = 1_000;
const startTimeoutMs = 30_000;
const server = readFileSync(path.join(root, "test/fixtures/mcp-servers/raw-server.mjs"), "utf8");
/** A sandbox shows no file of this project, so the server is its own argument. */
const args = ["--input-type=module", "--eval", server];

/** A warm call of a stdio MCP server through the runner, through mcp-proxy, and through mcp-proxy at its fastest. */
export async function measureRunnerMcp({ url, token }: { url: string; token: string }): Promise<Measure[]> {
	const authorization = `Bearer ${token}`;
	const proxy = await startProxy();
	const fastest = await startProxy("--no-eventStore");
	try {
		await putServer(`${url}/mcp/bench`, authorization);
		const calls = [
			await openSession(`${url}/mcp/bench`, { authorization }),
			await openSession(proxy.address),
			await openSession(fastest.address),
		];
		const [runner = [], theirs = [], best = []] = await takeTurns({ warmUps, rounds }, calls);
		const ratio = (of: number[]) => round(median(runner) / median(of));
		return [
			{ name: "stdio MCP call through the runner, median", value: round(median(runner)), unit: "ms" },
			{ name: "stdio MCP call through mcp-proxy, median", value: round(median(theirs)), unit: "ms" },
			{ name: "runner against mcp-proxy", value: ratio(theirs), unit: "times", atMost: 1 },
			{ name: "runner against mcp-proxy without its event store", value: ratio(best), unit: "times" },
		];
	} finally {
		await fetch(`${url}/mcp/bench/server`, { method: "DELETE", headers: { authorization } });
		await Promise.all([proxy, fastest].map(({ process }) => end(process)));
	}
}

async function putServer(address: string, authorization: string): Promise<void> {
	const headers = { authorization, "content-type": "application/json" };
	const response = await fetch(address, { method: "PUT", headers, body: JSON.stringify({ command: "node", args }) });
	if (!response.ok) throw new Error(`PUT ${address}: ${response.status} ${await response.text()}`);
}

async function startProxy(...options: string[]): Promise<{ address: string; process: ChildProcess }> {
	const port = await freePort();
	const program = path.join(mcpPeers(), "node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs");
	const own = ["--host", "127.0.0.1", "--port", String(port), "--server", "stream", ...options];
	const child = spawn(process.execPath, [program, ...own, "--", "node", ...args], { stdio: "ignore" });
	return { address: `http://127.0.0.1:${port}/mcp`, process: child };
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill();
	await ended;
}

/** Begins a session as soon as somebody listens, and answers what makes one call. */
async function openSession(address: string, more: Record<string, string> = {}): Promise<() => Promise<void>> {
	const clientInfo = { name: "bench", version: "1" };
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
	const { headers } = await firstAnswer(() => post(address, more, { id: 0, method: "initialize", params }));
	const session = headers.get("mcp-session-id") ?? "";
	const inSession = { ...more, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
	await post(address, inSession, { method: "notifications/initialized" });
	let id = 0;
	return async () => {
		const call = { name: "echo", arguments: { message: "hello" } };
		const { text } = await post(address, inSession, { id: ++id, method: "tools/call", params: call });
		if (!text.includes("hello")) throw new Error(`${address} answered ${text}`);
	};
}

async function firstAnswer<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	for (const deadline = Date.now() + startTimeoutMs; ; await sleep(50)) {
		try {
			return await ask();
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
	}
}

async function post(address: string, more: Record<string, string>, message: object) {
	const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...more };
	const body = JSON.stringify({ jsonrpc: "2.0", ...message });
	const response = await fetch(address, { method: "POST", headers, body });
	const text = await response.text();
	if (!response.ok) throw new Error(`${address}: ${response.status} ${text}`);
	return { text, headers: response.headers };
}
