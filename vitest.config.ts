import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { fetch, type Request, type Response } from "miniflare";
import { defineConfig } from "vitest/config";
import "./scripts/build-assets.mjs";

/** Nothing that a test of the Worker does leaves this machine, whatever the Worker's own gates let through. */
function loopbackOnly(request: Request): Promise<Response> {
	const { hostname } = new URL(request.url);
	if (hostname !== "127.0.0.1" && hostname !== "localhost") throw new Error(`A test reached for ${hostname}.`);
	return fetch(request);
}

export default defineConfig(async () => ({
	test: {
		silent: "passed-only" as const,
		projects: [
			{
				test: {
					name: "node",
					include: ["test/**/*.test.ts"],
					exclude: ["test/**/*.workers.test.ts"],
					testTimeout: 60_000,
				},
			},
			{
				plugins: [
					cloudflareTest({
						wrangler: { configPath: "./wrangler.toml" },
						miniflare: {
							outboundService: loopbackOnly,
							bindings: {
								TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "migrations")),
								ORYX_ADMIN_TOKEN: "test-admin-token",
								ORYX_MASTER_KEY: "dGVzdC1tYXN0ZXIta2V5LXRlc3QtbWFzdGVyLWtleSE=",
								ORYX_DEV: "1",
								ORYX_ALLOW_LOOPBACK: "1",
								// Whatever .dev.vars says, tests begin without a language model.
								ORYX_MODEL: "",
								ORYX_MODEL_BASE_URL: "",
								ORYX_MODEL_API_KEY: "",
							},
						},
					}),
				],
				test: {
					name: "workers",
					include: ["test/**/*.workers.test.ts"],
					setupFiles: ["./test/support/workers/setup.ts"],
					globalSetup: ["./test/support/node/serve-real-files.ts"],
					testTimeout: 60_000,
				},
			},
		],
	},
}));
