import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FileOperation, Outcome, Seen } from "../file-operations";
import { realTreeOf, runOnRealFiles } from "./real-files";

/** What operations answer on the disk, and what is there at the end. */
export interface RealOutcome {
	readonly outcomes: readonly Outcome[];
	readonly tree: readonly Seen[];
}

/**
 * A server on loopback for tests that run where there is no disk: a POST of operations as a JSON array is run in an empty
 * directory with Node's own file system, and answered with a RealOutcome.
 */
export async function startRealFilesServer(): Promise<{ url: string; close(): Promise<void> }> {
	const server = createServer(async (request, response) => {
		const answer = JSON.stringify(runAll(JSON.parse(await bodyOf(request))));
		response.setHeader("content-type", "application/json").end(answer);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function runAll(operations: readonly FileOperation[]): RealOutcome {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-files-"));
	// Deep enough that no symlink of a random sequence leads above the folder.
	const base = `${folder}/1/2/3/4/5`;
	try {
		mkdirSync(base, { recursive: true });
		const outcomes = operations.map((operation) => runOnRealFiles(base, operation));
		return { outcomes, tree: realTreeOf(base) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const pieces: Buffer[] = [];
	for await (const piece of request) pieces.push(piece);
	return Buffer.concat(pieces).toString();
}
