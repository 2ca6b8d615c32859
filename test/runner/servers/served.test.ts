import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accept, type Hosting, openHosting, rawServer } from "./hosting";

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const silent = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "silent", arguments: {} } };
/** A call that stands alone, and its headers. */
const alone = (name: string) => ({
	message: { ...silent, params: { name, arguments: {}, _meta: meta } },
	headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
});

describe("a client whose connection breaks", () => {
	let hosting: Hosting;
	let server: ReturnType<typeof serve>;
	let address: string;
	beforeEach(async () => {
		hosting = openHosting({ streamAfterMs: 200 });
		server = serve({ fetch: (request) => hosting.fetch(request), port: 0, hostname: "127.0.0.1" });
		await once(server, "listening");
		address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp/raw`;
		await hosting.put("raw", { command: "node", args: [rawServer] });
	});
	afterEach(async () => {
		server.close();
		await hosting[Symbol.asyncDispose]();
	});

	const calls = async () => (await hosting.status("raw")).calls;
	const post = (headers: Record<string, string>, message: object, signal: AbortSignal) => {
		const all = { "content-type": "application/json", accept, ...headers };
		return fetch(address, { method: "POST", headers: all, body: JSON.stringify(message), signal });
	};

	it.each(["before", "after"])("%s the headers has its request cancelled where requests stand alone", async (when) => {
		const leaving = new AbortController();
		const { headers, message } = alone("silent");
		const pending = post(headers, message, leaving.signal);
		await expect.poll(calls).toBe(1);
		if (when === "after") await pending;
		leaving.abort();
		await pending.catch(() => {});
		await expect.poll(calls).toBe(0);
		const asked = alone("cancelled");
		const answer = await hosting.post("raw", asked.message, asked.headers);
		expect(await answer.text()).toContain("cancelled 1");
	});

	it("may come back to its session, and its request goes on", async () => {
		const session = await hosting.begin("raw");
		const leaving = new AbortController();
		const pending = post({ "mcp-session-id": session }, silent, leaving.signal);
		await expect.poll(calls).toBe(1);
		leaving.abort();
		await expect(pending).rejects.toThrow();
		expect(JSON.stringify(await hosting.call("raw", session, "cancelled"))).not.toContain("cancelled ");
		expect(await calls()).toBe(1);
	});
});
