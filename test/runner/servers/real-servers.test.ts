import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { mcpPeers } from "../../support/node/mcp-peers";
import { type Hosting, openHosting } from "./hosting";

let peers: string;
beforeAll(() => {
	peers = mcpPeers();
}, 300_000);

const packageFile = (file: string) => path.join(peers, "node_modules", file);

type Era = "legacy" | "auto" | { pin: string };

async function connect(hosting: Hosting, id: string, era: Era = "auto", name = "test") {
	const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: era } });
	const fetch = (url: string | URL, init?: RequestInit) => hosting.request(new URL(url).pathname, init);
	const transport = new StreamableHTTPClientTransport(new URL(`http://runner/mcp/${id}`), { fetch });
	await client.connect(transport);
	return client;
}

const textOf = (result: object) => ("content" in result ? (result.content as { text: string }[])[0]?.text : undefined);

describe("real servers, asked by the official client over HTTP", () => {
	it("everything: lists its tools, adds, and reports progress", async () => {
		await using hosting = openHosting();
		const script = packageFile("@modelcontextprotocol/server-everything/dist/index.js");
		await hosting.put("everything", { command: "node", args: [script] });
		const client = await connect(hosting, "everything");
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
		await using hosting = openHosting();
		const home = path.join(realpathSync(hosting.folder), "files/home");
		mkdirSync(home, { recursive: true });
		writeFileSync(path.join(home, "a.txt"), "hello");
		const script = packageFile("@modelcontextprotocol/server-filesystem/dist/index.js");
		await hosting.put("files", { command: "node", args: [script, home] });
		const client = await connect(hosting, "files");
		expect((await client.listTools()).tools.length).toBe(14);
		const read = { name: "read_text_file", arguments: { path: path.join(home, "a.txt") } };
		expect(await client.callTool(read)).toMatchObject({ structuredContent: { content: "hello" } });
		await client.close();
	});

	it("memory: one client sees what another one stored", async () => {
		await using hosting = openHosting();
		const script = packageFile("@modelcontextprotocol/server-memory/dist/index.js");
		const env = { MEMORY_FILE_PATH: path.join(hosting.folder, "memory.jsonl") };
		await hosting.put("memory", { command: "node", args: [script], env });
		const [one, two] = [await connect(hosting, "memory"), await connect(hosting, "memory", "legacy", "two")];
		const entities = [{ name: "oryx", entityType: "antelope", observations: ["runs"] }];
		await one.callTool({ name: "create_entities", arguments: { entities } });
		expect(textOf(await two.callTool({ name: "read_graph", arguments: {} }))).toContain("antelope");
		expect(await hosting.status("memory")).toMatchObject({ starts: 1, sessions: 2 });
		await Promise.all([one.close(), two.close()]);
	});

	it("sequential-thinking: thinks", async () => {
		await using hosting = openHosting();
		const script = packageFile("@modelcontextprotocol/server-sequential-thinking/dist/index.js");
		await hosting.put("thinking", { command: "node", args: [script] });
		const client = await connect(hosting, "thinking");
		expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["sequentialthinking"]);
		const thought = { thought: "x", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
		const result = await client.callTool({ name: "sequentialthinking", arguments: thought });
		expect(textOf(result)).toContain("thoughtHistoryLength");
		await client.close();
	});

	it("playwright: lists its tools and says whether there is a browser", async () => {
		await using hosting = openHosting();
		await hosting.put("browser", { command: "node", args: [packageFile("@playwright/mcp/cli.js"), "--headless"] });
		const client = await connect(hosting, "browser");
		expect((await client.listTools()).tools.map(({ name }) => name)).toContain("browser_navigate");
		const result = await client.callTool({ name: "browser_close", arguments: {} });
		expect(textOf(result)).toMatch(/No open tabs|is not found/);
		await client.close();
	});
});

describe("a server that speaks every revision", () => {
	const put = (hosting: Hosting) =>
		hosting.put("dual", { command: "node", args: [path.join(peers, "dual-server.mjs")] });
	const era = async (client: Client) => textOf(await client.callTool({ name: "era" }))?.split(" ") ?? [];

	it("serves a client without sessions, and one with sessions, each in its own way", async () => {
		await using hosting = openHosting();
		await put(hosting);
		const modern = await connect(hosting, "dual");
		const legacy = await connect(hosting, "dual", "legacy");
		const [modernEra, modernPid] = await era(modern);
		const [legacyEra, legacyPid] = await era(legacy);
		expect([modernEra, legacyEra]).toEqual(["modern", "legacy"]);
		expect(modernPid).not.toBe(legacyPid);
		const second = await connect(hosting, "dual", { pin: "2026-07-28" });
		expect(await era(second)).toEqual(["modern", modernPid]);
		expect(await hosting.status("dual")).toMatchObject({ starts: 2, sessions: 1 });
	});

	it("tells an unknown method as HTTP does", async () => {
		await using hosting = openHosting();
		await put(hosting);
		const client = await connect(hosting, "dual", { pin: "2026-07-28" });
		await expect(client.callTool({ name: "no such tool" })).rejects.toThrow(/no such tool/);
		await client.close();
	});

	it("publishes a change to whoever subscribed", async () => {
		await using hosting = openHosting();
		await put(hosting);
		const client = await connect(hosting, "dual", { pin: "2026-07-28" });
		const changed = Promise.withResolvers<void>();
		client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
		const subscription = await client.listen({ toolsListChanged: true });
		await client.callTool({ name: "grow" });
		await changed.promise;
		await subscription.close();
		await client.close();
	});

	it("hears that a client without a session went away from its request", async () => {
		await using hosting = openHosting();
		await put(hosting);
		const client = await connect(hosting, "dual", { pin: "2026-07-28" });
		const leaving = new AbortController();
		const call = client.callTool({ name: "wait" }, { signal: leaving.signal });
		await expect.poll(async () => (await hosting.status("dual")).calls).toBe(1);
		leaving.abort();
		await expect(call).rejects.toThrow();
		await expect.poll(async () => (await hosting.status("dual")).stderr.text).toBe("cancelled\n");
		await client.close();
	});
});
