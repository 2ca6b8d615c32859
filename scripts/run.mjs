// Runs a command of this project: `node scripts/run.mjs <command> [arguments…]`.
// Plain JavaScript without dependencies, because it is what a fresh clone starts with, on Node 20 or later.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = path.join(root, "node_modules");
const binaries = path.join(modules, ".bin");
const lockFile = path.join(root, ".wrangler", "install.lock");
const staleLockMs = 10 * 60_000;

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** True when node_modules holds each package of package-lock.json in the locked version. */
function isInstalled() {
	try {
		const present = packagesOf(path.join(modules, ".package-lock.json"));
		return Object.entries(packagesOf(path.join(root, "package-lock.json"))).every(([name, wanted]) => {
			if (name === "") return true;
			return present[name] ? present[name].version === wanted.version : wanted.optional === true;
		});
	} catch {
		return false;
	}
}

/** Takes the lock for this process; false while another living process holds it. */
function takeLock() {
	mkdirSync(path.dirname(lockFile), { recursive: true });
	try {
		writeFileSync(lockFile, String(process.pid), { flag: "wx" });
		return true;
	} catch (error) {
		if (error.code !== "EEXIST") throw error;
	}
	if (isLockStale()) rmSync(lockFile, { force: true });
	return false;
}

function isLockStale() {
	try {
		process.kill(Number(readFileSync(lockFile, "utf8")), 0);
		return Date.now() - statSync(lockFile).mtimeMs > staleLockMs;
	} catch (error) {
		return error.code === "ESRCH";
	}
}

/** Runs a program to its end, hands signals on to it, and answers its exit code as a shell would. */
function execute(command, options, settings) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, options, settings);
		for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) {
			process.on(signal, () => {
				// A terminal sends Ctrl-C to the child as well; a second one would mean "at once" to some programs.
				if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
			});
		}
		child.on("error", reject);
		child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
	});
}

/** Installs under the lock, unless another process did so meanwhile. npm's words go to stderr: stdout is the command's. */
async function installUnderLock() {
	if (isInstalled()) return;
	console.error("Installing the dependencies (npm ci); this happens once and takes about a minute.");
	const npm = process.env.npm_execpath;
	const [command, ...first] = npm?.endsWith("npm-cli.js") ? [process.execPath, npm] : ["npm"];
	const settings = { cwd: root, stdio: ["ignore", 2, 2] };
	const code = await execute(command, [...first, "ci", "--no-audit", "--no-fund", "--loglevel=error"], settings);
	if (code !== 0) {
		throw new Error(
			`npm ci ended with code ${code}; what it said stands above. Once mended, run the same command again.`,
		);
	}
	if (!isInstalled()) throw new Error("npm ci ended well, yet node_modules is not what package-lock.json asks for.");
}

async function install() {
	for (let waits = 0; !isInstalled(); waits++) {
		if (takeLock()) {
			try {
				return await installUnderLock();
			} finally {
				rmSync(lockFile, { force: true });
			}
		}
		if (waits === 0) console.error("Another process is installing the dependencies; waiting for it.");
		await sleep(250);
	}
}

async function main([command, ...options]) {
	if (!command) throw new Error("Usage: node scripts/run.mjs <command> [arguments…]");
	await install();
	if (!existsSync(path.join(binaries, "node"))) {
		throw new Error(
			"node_modules/.bin/node is missing: npm runs no install scripts here. Try `npm ci --ignore-scripts=false`.",
		);
	}
	const PATH = `${binaries}${path.delimiter}${process.env.PATH ?? ""}`;
	return await execute(command, options, { stdio: "inherit", env: { ...process.env, PATH } });
}

try {
	process.exit(await main(process.argv.slice(2)));
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
