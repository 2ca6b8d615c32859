import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig(async () => ({
	test: {
		silent: "passed-only",
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
							bindings: {
								TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "migrations")),
								ORYX_ADMIN_TOKEN: "test-admin-token",
								ORYX_MASTER_KEY: "dGVzdC1tYXN0ZXIta2V5LXRlc3QtbWFzdGVyLWtleSE=",
								ORYX_ALLOW_LOOPBACK: "1",
							},
						},
					}),
				],
				test: {
					name: "workers",
					include: ["test/**/*.workers.test.ts"],
					setupFiles: ["./test/support/workers/setup.ts"],
					testTimeout: 60_000,
				},
			},
		],
	},
}));
