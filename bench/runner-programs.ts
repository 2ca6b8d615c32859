import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { packTar, type TarEntry } from "modern-tar";
import { root } from "../scripts/settings.ts";
import type { LocalWorker } from "./local-worker.ts";
import { type Measure, median, round, takeTurns } from "./measure.ts";

const runFile = promisify(execFile);
const exec = { warmUps: 20, rounds: 100 };
const mirror = { warmUps: 5, rounds: 50 };
/** As little as `true`, which the virtual shell has itself. */
const program = "arch";
const fileCount = 1_000;

/** A program through Worker, object and runner against the same in a bare bubblewrap; then over 1,000 files, with one of them changed and with none. */
export async function measureRunnerPrograms({ call }: LocalWorker): Promise<Measure[]> {
	const execute = async (agent: string, tool: string, args: object) => {
		const body = { agent, arguments: args };
		const { success, content } = await call<Executed>("POST", `/api/v1/tools/${tool}/execute`, body);
		if (!success) throw new Error(`${tool} answered: ${content}`);
	};
	const shell = (agent: string) => execute(agent, "shell", { command: program });
	await call("POST", "/api/v1/sandbox/whitelist/SHELL", { value: program });
	for (const name of ["no-files", "some-files"]) await call("POST", "/api/v1/agents", { name, tools: ["*"] });
	await call("POST", "/api/v1/workspaces/some-files/archive", await someFiles(), {
		"Content-Type": "application/x-tar",
	});

	const folder = mkdtempSync(path.join(tmpdir(), "oryx-bench-"));
	try {
		const { file, args } = await bareBubblewrap(folder);
		const [ours = [], bare = []] = await takeTurns(exec, [() => shell("no-files"), () => runFile(file, args)]);

		let turn = 0;
		const change = () => execute("some-files", "write_file", { path: "7/tide.txt", content: `changed ${++turn}\n` });
		// The change itself is not part of what is compared.
		const works = [() => shell("some-files"), change, () => shell("some-files")];
		const [unchanged = [], , changed = []] = await takeTurns(mirror, works);
		return [
			compared("a program through Worker, object and runner, against a bare bwrap of it", ours, bare, 2.5),
			compared(`a program over ${fileCount} files, one of them changed, against none changed`, changed, unchanged, 1.3),
			compared(`a program over ${fileCount} files, none changed, against none there`, unchanged, ours),
		];
	} finally {
		rmSync(folder, { recursive: true });
	}
}

interface Executed {
	readonly success: boolean;
	readonly content: string;
}

function compared(name: string, ours: readonly number[], theirs: readonly number[], atMost?: number): Measure {
	const [mine, other] = [median(ours), median(theirs)];
	const note = `${round(mine)} ms against ${round(other)} ms, medians of ${ours.length}`;
	return { name, value: round(mine / other), unit: "times", ...(atMost !== undefined && { atMost }), note };
}

const someFiles = async (): Promise<Blob> => {
	const entries = Array.from({ length: fileCount }, (_, at): TarEntry => {
		const body = `${at}: high water\n`.repeat(50);
		return { header: { name: `${at % 25}/tide${at < 25 ? "" : at}.txt`, size: body.length, type: "file" }, body };
	});
	return new Blob([new Uint8Array(await packTar(entries))]);
};

/** The bubblewrap of the runner's own sandbox with the program in it, and nothing else. */
async function bareBubblewrap(folder: string): Promise<{ file: string; args: string[] }> {
	// The program's user passes through.
	chmodSync(folder, 0o711);
	const { openSandbox } = await loadSandbox(folder);
	const launcher = path.join(root, "dist/runner/launcher");
	const sandbox = await openSandbox({ wanted: "bubblewrap", required: true, stateFolder: folder, launcher });
	const place = { folder: path.join(folder, "files"), temporary: path.join(folder, "tmp") };
	for (const made of Object.values(place)) mkdirSync(made);
	const more = { cwd: "", protectedPaths: [], uid: 200_000, network: false };
	const limits = { timeoutMs: 10_000, maxMemoryMb: 512, maxCpuPercent: 100, maxCpuTimeSeconds: 60 };
	const { args } = sandbox.wrap(
		{ program, args: [], env: { PATH: "/usr/bin:/bin" } },
		{ ...place, ...more },
		{ ...limits, maxOpenFiles: 256, maxSubprocesses: 10 },
	);
	const begin = args.findIndex((argument) => path.basename(argument) === "bwrap");
	const end = args.indexOf("--as-pid-1");
	if (begin < 0 || end < begin) throw new Error(`The runner does not use bubblewrap: ${args.join(" ")}`);
	return { file: args[begin] ?? "", args: [...args.slice(begin + 1, end), "--chdir", "/workspace", "--", program] };
}

/** Node does not load the runner's source as it is. */
async function loadSandbox(folder: string): Promise<typeof import("../runner/src/sandbox/sandbox")> {
	const outfile = path.join(folder, "sandbox.mjs");
	const entryPoints = [path.join(root, "runner/src/sandbox/sandbox.ts")];
	await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
	return await import(outfile);
}
