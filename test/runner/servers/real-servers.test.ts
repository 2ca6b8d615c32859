import { cpSync } from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mcpPeers } from "../../support/node/mcp-peers";
import type { Hosting } from "./hosting";
import { openSandboxedHosting } from "./sandboxed";

let hosting: Hosting;
/** Where the servers find their packages, which lie in the home of the only id. */
let home: string;

beforeAll(async () => {
	const peers = mcpPeers();
	const opened = await openSandboxedHosting();
	hosting = opened.hosting;
	home = opened.home("peer");
	cpSync(peers, path.join(hosting.folder, "peer/home"), { recursive: true });
}, 300_000);
afterAll(() => hosting[Symbol.asyncDispose]());

let puts = 0;

/** Puts another configuration each time, so that each test has a process of its own. */
async function put(script: string, args: string[] = [], env: Record<string, string> = {}) {
	const spec = { command: "node", args: [path.join(home, script), ...args], env: { ...env, PUT: String(++puts) } };
	expect(await (await hosting.put("peer", spec)).json()).toMatchObject({ state: "stopped" });
}

type Era = "legacy" | "auto" | { pin: string };

async function connect(era: Era = "auto", name = "test") {
	const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: era } });
	const fetch = (url: string | URL, init?: RequestInit) => hosting.request(new URL(url).pathname, init);
	const transport = new StreamableHTTPClientTransport(new URL("http://runner/mcp/peer"), { fetch });
	await client.connect(transport);
	return client;
}

const textOf = (result: object) => ("content" in result ? (result.content as { text: string }[])[0]?.text : undefined);

describe("real servers, asked by the official client over HTTP", () => {
	it("everything: lists its tools, adds, and reports progress", async () => {
		await put("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
		const client = await connect();
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name)).toContain("get-sum");
		expect(textOf(await client.callTool({ name: "get-sum", arguments: { a: 2, b: 40 } }))).toContain("42");
		const progress: number[] = [];
		const slow = { name: "trigger-long-running-operation", arguments: { duration: 0.4, steps: 4 } };
		await client.callTool(slow, { onprogress: (now) => progress.push(now.progress) });
		expect(progress).toEqual([1, 2, 3, 4]);
		await client.close();
	});

	it("filesystem: writes and reads in its home", async () => {
		await put("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", [home]);
		const client = await connect();
		expect((await client.listTools()).tools.length).toBe(14);
		const file = path.join(home, "a.txt");
		await client.callTool({ name: "write_file", arguments: { path: file, content: "hello" } });
		const read = await client.callTool({ name: "read_text_file", arguments: { path: file } });
		expect(read).toMatchObject({ structuredContent: { content: "hello" } });
		await client.close();
	});

	it("memory: one client sees what another one stored", async () => {
		const env = { MEMORY_FILE_PATH: path.join(home, "memory.jsonl") };
		await put("node_modules/@modelcontextprotocol/server-memory/dist/index.js", [], env);
		const [one, two] = [await connect(), await connect("legacy", "two")];
		const entities = [{ name: "oryx", entityType: "antelope", observations: ["runs"] }];
		await one.callTool({ name: "create_entities", arguments: { entities } });
		expect(textOf(await two.callTool({ name: "read_graph", arguments: {} }))).toContain("antelope");
		expect(await hosting.status("peer")).toMatchObject({ starts: 1, sessions: 2 });
		await Promise.all([one.close(), two.close()]);
	});

	it("sequential-thinking: thinks", async () => {
		await put("node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js");
		const client = await connect();
		expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["sequentialthinking"]);
		const thought = { thought: "x", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
		const result = await client.callTool({ name: "sequentialthinking", arguments: thought });
		expect(textOf(result)).toContain("thoughtHistoryLength");
		await client.close();
	});

	it("playwright: lists its tools and says whether there is a browser", async () => {
		await put("node_modules/@playwright/mcp/cli.js", ["--headless"]);
		const client = await connect();
		expect((await client.listTools()).tools.map(({ name }) => name)).toContain("browser_navigate");
		const result = await client.callTool({ name: "browser_close", arguments: {} });
		expect(textOf(result)).toMatch(/No open tabs|is not found/);
		await client.close();
	});
});

describe("a server that speaks every revision", () => {
	const era = async (client: Client) => textOf(await client.callTool({ name: "era" }));

	it("serves a client without sessions, and one with sessions, each in its own way", async () => {
		await put("dual-server.mjs");
		const modern = await connect();
		const legacy = await connect("legacy");
		const second = await connect({ pin: "2026-07-28" });
		expect(await Promise.all([modern, legacy, second].map(era))).toEqual(["modern", "legacy", "modern"]);
		expect(await hosting.status("peer")).toMatchObject({ starts: 2, sessions: 1 });
	});

	it("serves clients of both kinds that come at the same time, before it runs", async () => {
		await put("dual-server.mjs");
		const wishes: Era[] = ["legacy", { pin: "2026-07-28" }, "auto", "legacy"];
		const clients = await Promise.all(wishes.map((wish) => connect(wish)));
		const eras = await Promise.all(clients.map(era));
		expect([eras[0], eras[1], eras[3]]).toEqual(["legacy", "modern", "legacy"]);
		expect((await hosting.status("peer")).starts).toBeLessThanOrEqual(2);
	});

	it("tells an unknown tool as HTTP does", async () => {
		await put("dual-server.mjs");
		const client = await connect({ pin: "2026-07-28" });
		await expect(client.callTool({ name: "no such tool" })).rejects.toThrow(/no such tool/);
		await client.close();
	});

	it("publishes a change to whoever subscribed", async () => {
		await put("dual-server.mjs");
		const client = await connect({ pin: "2026-07-28" });
		const changed = Promise.withResolvers<void>();
		client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
		const subscription = await client.listen({ toolsListChanged: true });
		await client.callTool({ name: "grow" });
		await changed.promise;
		await subscription.close();
		await client.close();
	});

	it("hears that a client without a session went away from its request", async () => {
		await put("dual-server.mjs");
		const client = await connect({ pin: "2026-07-28" });
		const leaving = new AbortController();
		const call = client.callTool({ name: "wait" }, { signal: leaving.signal });
		await expect.poll(async () => (await hosting.status("peer")).calls).toBe(1);
		leaving.abort();
		await expect(call).rejects.toThrow();
		await expect.poll(async () => (await hosting.status("peer")).stderr.text).toBe("cancelled\n");
		await client.close();
	});
});
