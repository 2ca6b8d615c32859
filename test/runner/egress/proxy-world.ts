import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createEgress, type Egress, type EgressOptions } from "../../../runner/src/egress/egress";

/** Everything that is dialled ends at one of two servers of this machine: one says what it hears, one answers by http. */
let echo: Server;
let web: ReturnType<typeof createHttpServer>;
let folder: string;
export const heard: { url: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port;

/** To be called before the first test of a file. */
export async function openServers(): Promise<void> {
	folder = mkdtempSync(path.join(tmpdir(), "oryx-egress-"));
	echo = createServer({ allowHalfOpen: true }, (socket) => socket.on("error", () => {}).pipe(socket));
	web = createHttpServer(async (request, response) => {
		heard.push({ url: request.url, headers: request.headers, body: await text(request) });
		response.setHeader("keep-alive", "timeout=77").end("from the web");
	});
	await Promise.all([echo, web].map((server) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))));
}

export function closeServers(): void {
	echo.close();
	web.close();
	rmSync(folder, { recursive: true, force: true });
}

export interface World extends Egress {
	readonly dialled: string[];
	/** Sends bytes to the proxy and answers all that comes back until it closes, or until there is `enough`. */
	say(bytes: string | Buffer, enough?: string): Promise<string>;
	open(): Socket;
}

/** Names lead where `names` say; the public ones among their addresses to the servers of this test. */
export async function world(
	entries: readonly string[],
	names: Readonly<Record<string, readonly (readonly string[])[]>> = {},
	{ allowLoopback = false, ...more }: { allowLoopback?: boolean } & Partial<EgressOptions> = {},
): Promise<World> {
	const dialled: string[] = [];
	const asked: Record<string, number> = {};
	const means = {
		async resolve(hostname: string) {
			const time = asked[hostname] ?? 0;
			asked[hostname] = time + 1;
			const answers = names[hostname] ?? [["93.184.215.14"]];
			return answers[Math.min(time, answers.length - 1)] ?? [];
		},
		connect(address: string, port: number) {
			dialled.push(`${address} ${port}`);
			return connect({ host: "127.0.0.1", port: portOf(port === 80 ? web : echo), allowHalfOpen: true });
		},
	};
	const openEgress = createEgress({ folder: mkdtempSync(path.join(folder, "sockets-")), means, ...more });
	const egress = await openEgress({ entries: [...entries], allowLoopback });
	const open = () => connect({ path: egress.socket, allowHalfOpen: true }).on("error", () => {});
	return {
		...egress,
		dialled,
		open,
		say: (bytes, enough) =>
			new Promise((resolve) => {
				let answer = "";
				const socket = open();
				socket.on("data", (more) => {
					answer += String(more);
					if (enough !== undefined && answer.includes(enough)) socket.destroy();
				});
				socket.on("close", () => resolve(answer));
				socket.on("end", () => socket.end());
				socket.write(bytes);
			}),
	};
}

export const connectTo = (authority: string, more = "") =>
	`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n${more}`;
