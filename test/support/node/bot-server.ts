import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface BotRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** How a provider answers one request; `hang` never does, `drop` closes the connection having read it. */
export type BotAnswer =
	| { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
	| "hang"
	| "drop"
	| "half";

/** A provider on loopback that gives one answer to everything and remembers what came; closed with the test. */
export async function botServer(answer: BotAnswer) {
	const requests: BotRequest[] = [];
	const server = createServer(async (request, response) => {
		const { method = "", url: path = "", headers } = request;
		requests.push({ method, path, headers, body: await text(request) });
		if (answer === "hang") return;
		if (answer === "drop") return void request.socket.destroy();
		if (answer === "half") {
			response.writeHead(200, { "Content-Length": "100" }).write('{"errcode":');
			setTimeout(() => request.socket.destroy(), 20);
			return;
		}
		const body = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
		response.writeHead(answer.status ?? 200, answer.headers).end(body);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => close(server));
	return { requests, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
	if (!server.listening) return;
	server.closeAllConnections();
	await once(server.close(), "close");
}
