import { type Context, Hono } from "hono";
import { readCapped } from "../../../src/lib/read-capped";
import { toFailed } from "./failure";
import type { HostedServer, Wish } from "./hosted-server";
import { HttpReply } from "./http-reply";
import {
	capabilitiesOf,
	errorText,
	type IdText,
	type Message,
	onOneLine,
	type RequestMessage,
	readMessage,
} from "./message";
import { misfitHeader, modernVersionOf, probeMethod } from "./modern-request";
import type { RunningServer } from "./running-server";
import { newSessionId } from "./sessions";

const sessionHeader = "mcp-session-id";
/** JSON-RPC and MCP name these. */
const codes = { parse: -32700, invalidRequest: -32600, noSession: -32001, headerMismatch: -32020 } as const;

export interface EndpointOptions {
	readonly find: (c: Context) => HostedServer;
	/** How long an answer may take before the headers are sent without it. */
	readonly streamAfterMs: number;
}

/** Streamable HTTP, of the revisions with sessions and of the one without, over the pipes of a hosted server. */
export const mcpEndpoint = (options: EndpointOptions) =>
	new Hono()
		.post("/:id", (c) => post(c, options))
		.get("/:id", (c) => listen(c, options))
		.delete("/:id", (c) => {
			const id = c.req.header(sessionHeader);
			if (id === undefined) return methodNotAllowed();
			const found = options.find(c).findSession(id);
			if (!found) return noSession();
			found.running.board.endSession(found.session);
			return c.body(null, 204);
		});

async function post(c: Context, options: EndpointOptions): Promise<Response> {
	const server = options.find(c);
	// No browser has any business here.
	if (c.req.header("origin") !== undefined)
		return failure(403, codes.invalidRequest, "Requests of web pages are refused.");
	const body = await readBody(c, server.spec.maxMessageBytes);
	if (body === undefined) return failure(413, codes.invalidRequest, "The message is over the server's limit.");
	const message = readMessage(onOneLine(body));
	if (!message) return failure(400, codes.parse, "The body is not one JSON-RPC message.");
	if (message.kind === "request" && modernVersionOf(message) !== undefined)
		return callAlone(c, options, server, message);
	if (message.kind === "request" && message.method === "initialize") return initialize(c, options, server, message);
	return inSession(c, options, server, message);
}

async function callAlone(c: Context, options: EndpointOptions, server: HostedServer, request: RequestMessage) {
	const misfit = misfitHeader(request, (name) => c.req.header(name));
	if (misfit) return failure(400, codes.headerMismatch, `The header ${misfit} does not fit the body.`, request.id);
	const reply = replyTo(c, options);
	const wish = request.method === probeMethod ? "either" : "modern";
	void connected(server, wish, request, reply, (running) => running.board.call(request, reply, undefined));
	return await reply.response;
}

async function initialize(c: Context, options: EndpointOptions, server: HostedServer, request: RequestMessage) {
	const session = { id: newSessionId(), capabilities: capabilitiesOf(request), stream: undefined };
	const reply = replyTo(c, options);
	void connected(server, "legacy", request, reply, (running) => running.board.initialize(request, reply, session));
	const response = await reply.response;
	// A stream begins before its answer is known; without one, there is a session only when the server agreed.
	const isPending = !reply.isOver;
	if (isPending || server.findSession(session.id)) response.headers.set(sessionHeader, session.id);
	return response;
}

async function connected(
	server: HostedServer,
	wish: Wish,
	request: RequestMessage,
	reply: HttpReply,
	use: (running: RunningServer) => void,
): Promise<void> {
	try {
		await server.connect(wish, (running) => {
			// Nothing is sent for a client that went away meanwhile.
			if (!reply.isOver) use(running);
		});
	} catch (error) {
		const failed = toFailed(error);
		reply.finish(failed.textFor(request.id), failed.status);
	}
}

async function inSession(c: Context, options: EndpointOptions, server: HostedServer, message: Message) {
	const id = c.req.header(sessionHeader);
	if (id === undefined) return failure(400, codes.invalidRequest, "Mcp-Session-Id is missing.");
	const found = server.findSession(id);
	if (!found) return noSession();
	const { session, running } = found;
	if (message.kind === "request") {
		const reply = replyTo(c, options);
		running.board.call(message, reply, session);
		return await reply.response;
	}
	if (message.kind === "notification") running.board.notify(message, session);
	else running.board.answer(message, session);
	return c.body(null, 202);
}

async function listen(c: Context, { find }: EndpointOptions): Promise<Response> {
	const id = c.req.header(sessionHeader);
	if (id === undefined || !acceptsStream(c)) return methodNotAllowed();
	const found = find(c).findSession(id);
	if (!found) return noSession();
	const stream = new HttpReply({ acceptsStream: true, streamAfterMs: 0, signal: c.req.raw.signal });
	found.running.board.openStream(found.session, stream);
	return await stream.response;
}

const replyTo = (c: Context, { streamAfterMs }: EndpointOptions) =>
	new HttpReply({ acceptsStream: acceptsStream(c), streamAfterMs, signal: c.req.raw.signal });

const acceptsStream = (c: Context) => /text\/event-stream|\*\/\*/.test(c.req.header("accept") ?? "");

/** Undefined when it is over the limit. */
async function readBody(c: Context, maxBytes: number): Promise<string | undefined> {
	const declared = Number(c.req.header("content-length"));
	if (declared <= maxBytes) return await c.req.text();
	if (declared > maxBytes) return undefined;
	const { bytes, truncated } = await readCapped(c.req.raw.body, maxBytes);
	return truncated ? undefined : new TextDecoder().decode(bytes);
}

const failure = (status: number, code: number, message: string, id: IdText | null = null) =>
	new Response(errorText(id, code, message), { status, headers: { "content-type": "application/json" } });

const noSession = () => failure(404, codes.noSession, "Session not found.");

const methodNotAllowed = () => new Response(null, { status: 405, headers: { allow: "POST, PUT" } });
