import { spawn } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { maxBundleBytes, measureBundle } from "./bundle.ts";
import { finish } from "./processes.ts";
import { root } from "./settings.ts";

/** Throws, with everything there is to read, when the step finds something. */
type Step = () => Promise<string | undefined>;

const steps: Record<string, Step> = {
	"format and lint": program("biome", "ci", "--colors=off", "--error-on-warnings", "."),
	"types of the Worker": program("tsc", "-p", "tsconfig.json"),
	"types of tests and scripts": program("tsc", "-p", "tsconfig.node.json"),
	"nothing unused": program("knip"),
	architecture: program("vitest", "run", "--project", "node", "test/architecture.test.ts"),
	migrations: checkMigrations,
	bundle: checkBundle,
};

function program(command: string, ...options: string[]): Step {
	return async () => {
		const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1" };
		const child = spawn(command, options, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env });
		await finish(child, `${command} ${options.join(" ")}`);
		return undefined;
	};
}

/** The migrations agree among themselves, and bring a database to what schema.ts says. */
async function checkMigrations(): Promise<undefined> {
	const copy = ".wrangler/check-migrations";
	rmSync(path.join(root, copy), { recursive: true, force: true });
	cpSync(path.join(root, "migrations"), path.join(root, copy), { recursive: true });
	const options = ["--dialect", "sqlite", "--out", copy];
	await program("drizzle-kit", "check", ...options)();
	await program("drizzle-kit", "generate", ...options, "--schema", "src/db/schema.ts")();
	const count = (folder: string) => readdirSync(path.join(root, folder)).filter((name) => name.endsWith(".sql")).length;
	if (count(copy) === count("migrations")) return;
	throw new Error("src/db/schema.ts has changes that no migration makes. Run `npm run migrations`.");
}

async function checkBundle(): Promise<string> {
	const size = await measureBundle();
	const told = `${Math.round(size / 1000)} of ${maxBundleBytes / 1000} KB gzip`;
	if (size > maxBundleBytes) throw new Error(`The bundle is too large: ${told}.`);
	return told;
}

for (const [name, step] of Object.entries(steps)) {
	const started = performance.now();
	const told = (mark: string, note = "") =>
		console.log(`${mark} ${name.padEnd(28)} ${String(Math.round(performance.now() - started)).padStart(6)} ms ${note}`);
	try {
		told("✓", await step());
	} catch (error) {
		told("✗");
		console.log(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}
