import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Hono } from "hono";
import { Refusal, statusOf } from "../../../runner/src/refusal";
import { Servers } from "../../../runner/src/servers/servers";
import { serversApp } from "../../../runner/src/servers/servers-app";
import { Starter, type StarterOptions } from "../../../runner/src/servers/starter";
import type { ServerStatus } from "../../../src/shared/runner-servers";
import { noSandbox, startPlain } from "./plain-child";

export const rawServer = path.join(import.meta.dirname, "../../fixtures/mcp-servers/raw-server.mjs");

export interface Hosting extends AsyncDisposable {
	readonly servers: Servers;
	readonly folder: string;
	request(address: string, init?: RequestInit): Promise<Response>;
	fetch(request: Request): Response | Promise<Response>;
	put(id: string, spec: object): Promise<Response>;
	status(id: string): Promise<ServerStatus>;
	/** Sends one message; `session` is what `begin` answered. */
	post(id: string, message: object | string, headers?: Record<string, string>): Promise<Response>;
	/** Begins a session and answers its id. */
	begin(id: string, capabilities?: object): Promise<string>;
	/** Calls a tool and answers the JSON-RPC message. */
	call(id: string, session: string, name: string, given?: object, more?: object): Promise<RpcAnswer>;
}

export interface RpcAnswer {
	readonly id: unknown;
	readonly result?: { readonly content: readonly { readonly text: string }[] };
	readonly error?: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
}

export const accept = "application/json, text/event-stream";

interface HostingOptions extends Partial<StarterOptions> {
	readonly streamAfterMs?: number;
}

/** The hosting of servers without a port, in a folder of its own, and without a sandbox unless one is given. */
export function openHosting(options: HostingOptions = {}): Hosting {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-servers-"));
	const searchPath = `${path.dirname(process.execPath)}:${process.env.PATH}`;
	const plain = { sandbox: noSandbox, start: startPlain, searchPath, uidOf: () => undefined };
	const starter = new Starter({ ...plain, folder, ...options });
	const servers = new Servers({ starter, folder });
	const app = new Hono()
		.route(
			"/mcp",
			serversApp({ servers, addedLaunchers: ["hang", "added"], streamAfterMs: options.streamAfterMs ?? 10_000 }),
		)
		.onError((error, c) => {
			if (error instanceof Refusal) return c.json({ code: error.code, message: error.message }, statusOf[error.code]);
			throw error;
		});
	let lastId = 0;
	const hosting: Hosting = {
		servers,
		folder,
		request: async (address, init) => await app.request(address, init),
		fetch: (request) => app.fetch(request),
		put: (id, spec) => hosting.request(`/mcp/${id}`, json("PUT", spec)),
		async status(id) {
			return (await (await hosting.request(`/mcp/${id}/server`)).json()) as ServerStatus;
		},
		post: (id, message, headers) => hosting.request(`/mcp/${id}`, json("POST", message, headers)),
		async begin(id, capabilities = {}) {
			const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1" } };
			const response = await hosting.post(id, { jsonrpc: "2.0", id: 1, method: "initialize", params });
			const session = response.headers.get("mcp-session-id");
			const text = await response.text();
			if (!session) throw new Error(text);
			const headers = { "mcp-session-id": session };
			await hosting.post(id, { jsonrpc: "2.0", method: "notifications/initialized" }, headers);
			return session;
		},
		async call(id, session, name, given = {}, more = {}) {
			const params = { name, arguments: given, ...more };
			const message = { jsonrpc: "2.0", id: `call ${++lastId}`, method: "tools/call", params };
			return await answerOf(await hosting.post(id, message, { "mcp-session-id": session }));
		},
		async [Symbol.asyncDispose]() {
			await servers.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
	return hosting;
}

function json(method: string, body: object | string, headers: Record<string, string> = {}): RequestInit {
	return {
		method,
		headers: { "content-type": "application/json", accept, ...headers },
		body: typeof body === "string" ? body : JSON.stringify(body),
	};
}

/** The messages of an answer, whether it is one JSON or a stream of events. */
export async function messagesOf(response: Response): Promise<Record<string, unknown>[]> {
	const text = await response.text();
	if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return [JSON.parse(text)];
	const lines = text.split("\n").filter((line) => line.startsWith("data: "));
	return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

export async function answerOf(response: Response): Promise<RpcAnswer> {
	return (await messagesOf(response)).at(-1) as unknown as RpcAnswer;
}

export const textOf = ({ result }: RpcAnswer): string | undefined => result?.content[0]?.text;
