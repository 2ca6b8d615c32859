import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

/** A certificate of our own for `localhost` and 127.0.0.1, made anew each time. */
function makeCertificate(): { key: string; cert: string } {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-certificate-"));
	const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
	const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
	const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
	const whose = ["-subj", "/CN=localhost", "-addext", names, "-keyout", key, "-out", cert];
	execFileSync("openssl", ["req", "-x509", ...kind, ...whose], { stdio: "ignore" });
	const made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
	rmSync(folder, { recursive: true });
	return made;
}

/**
 * An https server of this machine: `/hello` says hello and notes it, `/to?URL` redirects there, `/upload` says how much came, and
 * `/git/` serves the repositories in `repositories`.
 */
export async function secureSite({ repositories }: { repositories: string }) {
	const certificate = makeCertificate();
	const seen: string[] = [];
	const server = createServer(certificate, async (request, response) => {
		const [at = "", query = ""] = (request.url ?? "").split("?");
		seen.push(at);
		if (at.startsWith("/git/")) return serveGit(repositories, request, response);
		if (at === "/to") return void response.writeHead(302, { location: decodeURIComponent(query) }).end();
		let bytes = 0;
		for await (const piece of request) bytes += piece.length;
		response.end(at === "/upload" ? String(bytes) : "hello");
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.address() as { port: number };
	return {
		port,
		url: `https://localhost:${port}`,
		/** What has to be trusted. */
		certificate: certificate.cert,
		seen,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** What git's own CGI program answers. */
function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
	const [at = "", query = ""] = (request.url ?? "").split("?");
	const env = {
		PATH: process.env.PATH,
		GIT_PROJECT_ROOT: folder,
		GIT_HTTP_EXPORT_ALL: "1",
		// The repository may be another user's than the server's.
		GIT_CONFIG_COUNT: "1",
		GIT_CONFIG_KEY_0: "safe.directory",
		GIT_CONFIG_VALUE_0: "*",
		PATH_INFO: at.slice("/git".length),
		QUERY_STRING: query,
		REQUEST_METHOD: request.method,
		CONTENT_TYPE: request.headers["content-type"] ?? "",
		HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
		GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
	};
	const backend = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
	request.pipe(backend.stdin);
	const pieces: Buffer[] = [];
	backend.stdout.on("data", (piece: Buffer) => pieces.push(piece));
	backend.stdout.on("end", () => {
		const whole = Buffer.concat(pieces);
		const end = whole.indexOf("\r\n\r\n");
		for (const line of whole.subarray(0, end).toString().split("\r\n")) {
			const [name = "", value = ""] = line.split(": ");
			if (name === "Status") response.statusCode = Number.parseInt(value, 10);
			else response.setHeader(name, value);
		}
		response.end(whole.subarray(end + 4));
	});
}
