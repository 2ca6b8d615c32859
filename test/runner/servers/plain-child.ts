import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ConfinedChild, startConfined } from "../../../runner/src/programs/confined-child";
import type { Sandbox } from "../../../runner/src/sandbox/sandbox";

/** A process group without a sandbox, to test what stands above one. */
export const startPlain: typeof startConfined = async (_, { program, args, env }, { folder }) => {
	const began = performance.now();
	const child = spawn(program, args, { env, cwd: folder, detached: true, stdio: "pipe" });
	await once(child, "spawn");
	const signalGroup = (signal: NodeJS.Signals) => {
		try {
			process.kill(-Number(child.pid), signal);
		} catch {
			// The whole group is gone.
		}
	};
	const ended = once(child, "exit").then(([exitCode, signal]) => {
		signalGroup("SIGKILL");
		const figures = { isOverMemory: false, cpuMs: 0, peakMemoryBytes: 0, durationMs: performance.now() - began };
		return { ...figures, ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) };
	});
	const end: ConfinedChild["end"] = async (signal = "SIGTERM") => {
		signalGroup(signal);
		const timer = setTimeout(() => signalGroup("SIGKILL"), 100);
		await ended;
		clearTimeout(timer);
	};
	return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, end };
};

export const noSandbox: Sandbox = {
	report: { backend: "none", layers: [], failed: [], unsupportedLimits: [] },
	wrap: (command) => ({ ...command, isReported: false, release: () => {} }),
	pathOf: ({ folder }) => folder,
	temporaryOf: ({ temporary }) => temporary,
};
