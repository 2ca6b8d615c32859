import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { judgeUrl } from "../../../src/gates/url";
import type { UrlRules } from "../../../src/gates/url-verdict";
import { DialFailed, dial, type Means } from "./dial";
import { forward } from "./forward";
import type { Tally } from "./tally";

const quietMs = 60_000;
const maxHeadBytes = 16_384;
/** Of one program at a time. */
const maxConnections = 128;

export interface ProxyOptions {
	readonly rules: UrlRules;
	readonly headMs: number;
	readonly means: Means;
	readonly tally: Tally;
	/** Hears of all that is carried; where it answers false there is no more. */
	readonly spend: (bytes: number) => boolean;
}

/** What a request asks for, once it is allowed. */
interface Way {
	readonly url: URL;
	readonly socket: Awaited<ReturnType<typeof dial>>;
}

/**
 * An HTTP proxy that goes where the HTTP list lets it: by CONNECT, through which https passes unseen, and by plain http where an entry
 * says so. It adds nothing of its own to what it passes on.
 */
export function createProxy(options: ProxyOptions): Server {
	const server = createServer({
		headersTimeout: options.headMs,
		requestTimeout: 0,
		connectionsCheckingInterval: options.headMs / 10,
		maxHeaderSize: maxHeadBytes,
	});
	server.maxConnections = maxConnections;
	server.timeout = quietMs;
	server.on("connect", (request, socket, head) => {
		tunnel(request, socket, head, options).catch(() => socket.destroy());
	});
	server.on("request", (request, response) => {
		passOn(request, response, options).catch(() => response.destroy());
	});
	return server;
}

async function tunnel(request: IncomingMessage, socket: Duplex, head: Buffer, options: ProxyOptions): Promise<void> {
	socket.on("error", () => {});
	const asked = request.url ?? "";
	const answer = (status: string, message: string) => {
		const length = Buffer.byteLength(message);
		socket.end(
			`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${message}`,
		);
	};
	const way = await open(asked, `https://${asked}/`, options);
	if ("refusal" in way) return answer(way.isRefused ? "403 Forbidden" : "502 Bad Gateway", way.refusal);
	const { socket: remote } = way;
	if (socket.destroyed) return void remote.destroy();
	socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
	const close = () => {
		socket.destroy();
		remote.destroy();
	};
	remote.setTimeout(quietMs, close);
	const meter = (bytes: Uint8Array) => {
		if (!options.spend(bytes.length)) close();
	};
	socket.on("close", close);
	remote.on("close", close);
	if (head.length > 0) socket.unshift(head);
	socket.on("data", meter).pipe(remote);
	remote.on("data", meter).pipe(socket);
}

async function passOn(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): Promise<void> {
	const asked = request.url ?? "";
	const refuse = (status: number, message: string) => {
		response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(message);
	};
	if (!/^http:\/\//i.test(asked)) return refuse(400, "This is a proxy: it takes CONNECT, and http:// addresses whole.");
	const way = await open(asked, asked, options);
	if ("refusal" in way) return refuse(way.isRefused ? 403 : 502, way.refusal);
	if (response.destroyed) return void way.socket.destroy();
	way.socket.setTimeout(quietMs, () => way.socket.destroy());
	forward(request, response, way, options.spend);
}

/** Judges, then dials; what is said no to is told and counted. */
async function open(
	asked: string,
	raw: string,
	{ rules, means, tally }: ProxyOptions,
): Promise<Way | { refusal: string; isRefused: boolean }> {
	const verdict = isAuthority(asked) || asked === raw ? judgeUrl(raw, rules) : malformed;
	if (!verdict.ok) {
		tally.refuse(hostOf(raw) ?? asked, verdict.reason, verdict.message);
		return { refusal: verdict.message, isRefused: true };
	}
	const { url } = verdict;
	try {
		const socket = await dial(url, means);
		tally.carry(url.host, socket);
		return { url, socket };
	} catch (error) {
		const reason = error instanceof DialFailed ? error.reason : "unreachable";
		const message = error instanceof Error ? error.message : String(error);
		tally.refuse(url.host, reason, message);
		return { refusal: message, isRefused: reason === "private_address" };
	}
}

/** `host:port` and nothing else, which would become a path, a user or a query. */
const isAuthority = (asked: string): boolean => /^(\[[0-9a-f:.]+\]|[^\s/\\?#@:[\]]+):[0-9]{1,5}$/i.test(asked);

const malformed = {
	ok: false,
	reason: "invalid_url",
	message: "CONNECT is due a host and a port, as in example.com:443.",
} as const;

const hostOf = (raw: string): string | undefined => URL.parse(raw)?.host || undefined;
