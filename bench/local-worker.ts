import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { spawnWrangler } from "../scripts/local-wrangler.ts";
import { finish } from "../scripts/processes.ts";
import { root } from "../scripts/settings.ts";

const adminToken = "bench-admin-token";

/** The bench Worker in workerd, in memory, with the bindings of wrangler.toml. */
export interface LocalWorker {
	readonly address: string;
	/** A blob is sent as it is, anything else as JSON. Throws for a status that is no success. */
	call<Answer>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
	stop(): Promise<void>;
}

export async function startLocalWorker(vars: Readonly<Record<string, string>> = {}): Promise<LocalWorker> {
	const folder = path.join(root, ".wrangler/bench");
	const options = ["deploy", "bench/worker/index.ts", "--dry-run", "--outdir", folder, "--containers-rollout=none"];
	await finish(spawnWrangler(options, folder), "Bundling the bench Worker failed.");
	const { workerOptions } = unstable_getMiniflareWorkerOptions(path.join(root, "wrangler.toml"));
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			cf: false,
			handleStructuredLogs: ({ level, message }) => {
				if (level === "error") console.error(message);
			},
			workers: [
				{
					...workerOptions,
					name: "bench",
					modules: [
						{ type: "ESModule", path: "index.js", contents: readFileSync(path.join(folder, "index.js"), "utf8") },
					],
					bindings: {
						ORYX_ADMIN_TOKEN: adminToken,
						ORYX_MASTER_KEY: Buffer.alloc(32, "bench").toString("base64"),
						ORYX_DEV: "1",
						ORYX_ALLOW_LOOPBACK: "1",
						...vars,
					},
				},
			],
		}),
	);
	const address = (await miniflare.ready).origin;
	await prepareDatabase(await miniflare.getD1Database("DB"));
	return { address, stop: () => miniflare.dispose(), call: callerOf(address) };
}

async function prepareDatabase(database: { prepare(query: string): { run(): Promise<unknown> } }): Promise<void> {
	const folder = path.join(root, "migrations");
	const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
	const statements = files.toSorted().flatMap((name) => {
		return readFileSync(path.join(folder, name), "utf8").split("--> statement-breakpoint");
	});
	for (const statement of statements) await database.prepare(statement).run();
}

const callerOf =
	(address: string): LocalWorker["call"] =>
	async (method, path, body, headers) => {
		const response = await fetch(address + path, {
			method,
			headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json", ...headers },
			...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text);
	};
