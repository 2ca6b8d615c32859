import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { spawnWrangler } from "./local-wrangler.ts";
import { finish } from "./processes.ts";
import { root } from "./settings.ts";

/** 430 KB of it are the virtual shell, which is parsed with the rest (20 ms more at a cold start) and evaluated by its first command line. */
export const maxBundleBytes = 1_000_000;

/** Bundles the Worker as a deployment would, without deploying, and answers the gzip size of its modules in bytes. */
export async function measureBundle(): Promise<number> {
	const folder = path.join(root, ".wrangler/bundle");
	// The image would need Docker, and is no part of the bundle.
	const options = ["deploy", "--dry-run", "--outdir", folder, "--containers-rollout=none"];
	await finish(spawnWrangler(options, folder), "wrangler deploy --dry-run failed.");
	const modules = readdirSync(folder).filter((name) => /\.(js|wasm)$/.test(name));
	return gzipSync(Buffer.concat(modules.map((name) => readFileSync(path.join(folder, name))))).length;
}
