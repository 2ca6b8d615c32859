import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { serve } from "@hono/node-server";
import { version } from "../../package.json";
import { createApp } from "./app";
import { createEgress } from "./egress/egress";
import { createLog } from "./log";
import { Mirrors } from "./mirrors/mirrors";
import { startConfined } from "./programs/confined-child";
import { searchPath } from "./programs/environment";
import { findProgram } from "./sandbox/host";
import { openSandbox, placeUsers } from "./sandbox/sandbox";
import { Servers } from "./servers/servers";
import { serversApp } from "./servers/servers-app";
import { Starter } from "./servers/starter";
import { readSettings } from "./settings";
import { UserIds } from "./user-ids";
import { Work } from "./work";

const drainGraceMs = 10_000;
const limits = { maxEntries: 200_000, maxBytes: 2_147_483_648 };
const maxMirrors = 64;

const usual =
	"git node npm npx python3 pip uv uvx deno bun ruby perl php go cargo java dotnet make gcc sqlite3 jq rg tar zip".split(
		" ",
	);

async function main(): Promise<void> {
	const log = createLog((line) => process.stdout.write(line));
	const settings = readSettings(process.env, path.join(tmpdir(), "oryx-runner"));
	// Nothing that is started later can find it in the environment of this process.
	delete process.env.RUNNER_TOKEN;
	const { token, host, port, stateFolder } = settings;
	mkdirSync(stateFolder, { recursive: true });
	chmodSync(stateFolder, 0o711);

	const sandbox = await openSandbox({ wanted: settings.sandbox, required: settings.isSandboxRequired, stateFolder });
	const users = new UserIds(placeUsers());
	const mirrors = new Mirrors({
		folder: path.join(stateFolder, "mirrors"),
		nextUid: () => users.next(),
		limits,
		maxMirrors,
	});
	const folder = path.join(stateFolder, "servers");
	const starter = new Starter({ sandbox, start: startConfined, folder, searchPath, uidOf: (id) => users.of(id) });
	const servers = new Servers({ starter, folder });
	const work = new Work();
	const incarnation = randomUUID();
	const programs = usual.filter((name) => findProgram(name, searchPath) !== undefined);

	const app = createApp({
		token,
		incarnation,
		sandbox,
		mirrors,
		work,
		openEgress: createEgress({ folder: path.join(stateFolder, "egress") }),
		servers: serversApp({ servers, addedLaunchers: settings.addedLaunchers }),
		health: () => ({
			status: work.isDraining ? "draining" : "ok",
			incarnation,
			version,
			sandbox: sandbox.report,
			programs,
			running: { programs: work.count, servers: servers.runningCount },
		}),
		log,
	});

	const server = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
		log.info("listening", { host, port: address.port, incarnation, sandbox: sandbox.report });
	});
	const stop = async (signal: string) => {
		log.info("draining", { signal, running: work.count });
		await Promise.all([work.drain(drainGraceMs), servers.close()]);
		server.close(() => process.exit(0));
		// What holds its connection open is no reason to stay.
		setTimeout(() => process.exit(0), 1_000);
	};
	for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop(signal));
}

await main();
