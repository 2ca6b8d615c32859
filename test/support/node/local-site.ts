import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** One request as it came in. */
export interface Visit {
	readonly method: string;
	readonly path: string;
	readonly body: string;
}

/** A web site and webhook receiver on loopback that remembers who came. */
export interface LocalSite {
	readonly address: string;
	/** In order of arrival. */
	readonly visits: readonly Visit[];
	/** Resolves when `count` visits are there, counted from the start. */
	waitForVisits(count: number): Promise<void>;
	close(): Promise<void>;
}

/** Answers every GET with `page` and every POST with 200, each `delayMs` after it was noted as a visit. */
export async function openSite(page: string, delayMs = 0): Promise<LocalSite> {
	const visits: Visit[] = [];
	const server = createServer(async (request, response) => {
		visits.push(await toVisit(request));
		server.emit("visit");
		await sleep(delayMs);
		response.setHeader("Content-Type", request.method === "GET" ? "text/html; charset=utf-8" : "text/plain");
		response.end(request.method === "GET" ? page : "ok");
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		visits,
		async waitForVisits(count) {
			while (visits.length < count) await once(server, "visit");
		},
		async close() {
			server.closeAllConnections();
			await once(server.close(), "close");
		},
	};
}

async function toVisit(request: IncomingMessage): Promise<Visit> {
	return { method: request.method ?? "", path: request.url ?? "", body: await text(request) };
}
