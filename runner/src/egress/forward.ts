import { type IncomingHttpHeaders, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Between two neighbours only; and what a program would tell its proxy alone. */
const neighbourly: ReadonlySet<string> = new Set([
	"connection",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/** Passes a plain request on over `socket`, which leads to the host of `url`, and its answer back. */
export function forward(
	request: IncomingMessage,
	response: ServerResponse,
	{ url, socket }: { url: URL; socket: Socket },
	spend: (bytes: number) => boolean,
): void {
	const close = () => {
		socket.destroy();
		response.destroy();
	};
	const meter = (bytes: Uint8Array) => {
		if (!spend(bytes.length)) close();
	};
	const onward = requestOf({
		createConnection: () => socket,
		method: request.method,
		path: url.pathname + url.search,
		headers: { ...passedOn(request.headers), host: url.host, connection: "close" },
	});
	onward.on("response", (answer) => {
		answer.on("error", close);
		try {
			response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
			answer.on("data", meter).pipe(response);
		} catch {
			close();
		}
	});
	onward.on("error", () => {
		if (response.headersSent) return close();
		response.writeHead(502, { "content-type": "text/plain" }).end(`${url.hostname} broke off.`);
	});
	request.on("error", close);
	response.on("close", () => socket.destroy());
	request.on("data", meter).pipe(onward);
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !neighbourly.has(name) && !named.has(name)));
}
