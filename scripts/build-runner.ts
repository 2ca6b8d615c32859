import path from "node:path";
import { build, stop } from "esbuild";
import { buildLauncher, type LauncherBuild } from "./build-launcher.ts";
import { root } from "./settings.ts";

export const runnerProgram = path.join(root, "dist/runner/server.mjs");

/** Bundles the runner into one file, and compiles its launcher where there is a compiler; answers what is missing without it. */
export async function buildRunner(): Promise<LauncherBuild> {
	await build({
		entryPoints: [path.join(root, "runner/src/server.ts")],
		outfile: runnerProgram,
		bundle: true,
		platform: "node",
		format: "esm",
		target: "node24",
		logLevel: "error",
		// Some dependencies still ask for Node's own modules by require.
		banner: {
			js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
		},
	});
	// Its service would stay for as long as this process.
	await stop();
	return buildLauncher();
}

if (import.meta.main) {
	const built = await buildRunner();
	console.log(runnerProgram);
	console.log("path" in built ? built.path : built.missing);
}
