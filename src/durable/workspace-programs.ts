import { createHash } from "node:crypto";
import { whyProtected } from "../gates/protected";
import { fromHex } from "../lib/hash";
import { Turns } from "../lib/turns";
import { fetchChunks } from "../runner/chunks";
import { RunnerLost, type RunnerPort, RunnerRefused } from "../runner/port";
import { runProgram } from "../runner/run-program";
import type { Transfer, Transfers } from "../runner/transfers";
import { environmentNames, type SandboxBackend } from "../shared/runner";
import { chunkBytes, type MirrorEntry } from "../shared/runner-mirrors";
import { type NetworkRules, type ReachedHost, sumHosts } from "../shared/runner-network";
import type { ProgramRequest } from "../shared/runner-programs";
import type { SettingsDocument } from "../shared/settings";
import type { ToolErrorCode } from "../shared/tool-result";
import type { WorkspaceContext } from "../workspace/context";
import { applyChanges } from "../workspace/mirror/apply-changes";
import { mirrorEntries, mirroredRoot } from "../workspace/mirror/mirror-entries";
import { nameBelow } from "../workspace/paths";
import { gitArguments, judgeGitChanges, judgeGitFiles } from "../workspace/programs/git";
import type { ProgramCall, ProgramResult, RunProgram } from "../workspace/programs/run-program";
import { Refused } from "../workspace/refused";
import type { Use } from "../workspace/workspace";
import type { MirrorTurn } from "./mirror-turn";
import { resultOf } from "./program-result";

export interface ProgramsOptions {
	readonly port: RunnerPort;
	readonly context: WorkspaceContext;
	readonly use: Use;
	/** The call's turn on the mirror of its files. */
	readonly turn: MirrorTurn;
	/** What is on its way to the runner. */
	readonly transfers: Transfers;
	readonly timeoutMs: number;
	/** Ends before a program with a network is started. */
	beforeEffect(): Promise<void>;
}

/** Runs programs on the runner over the files of one call. */
export function programsOf(options: ProgramsOptions) {
	const { port, context, use, turn, transfers, timeoutMs, beforeEffect } = options;
	const startedAt = Date.now();
	const mirror = mirrorId(context);
	const network = networkOf(context);
	const reached: ReachedHost[] = [];
	let backend: SandboxBackend | undefined;
	// Commands such as `xargs -P` start several at once.
	const oneByOne = new Turns();
	const inTurn: RunProgram = async (call, signal) => {
		using _ = await oneByOne.take(mirror, signal);
		await turn.take(signal);
		return await whereRefused(call.name, (onEffect) => run(call, signal, onEffect));
	};
	return {
		run: inTurn,
		/** The sandbox of the programs that have run; undefined when none has. */
		backend: () => backend,
		/** The hosts that they asked for. */
		reached: () => sumHosts(reached),
	};

	async function run(call: ProgramCall, signal: AbortSignal, onEffect: () => void): Promise<ProgramResult> {
		const { read, files, trusted, findChunk } = use;
		const isGit = call.name === "git";
		const going = transfers.find(mirror);
		if (going) await arrival(going, signal);
		const entries = await read(() => mirrorEntries(files));
		const args = isGit
			? await read(() => gitArguments(call.args, { entries, files, hasNetwork: network !== undefined }))
			: [...call.args];
		const lacked = transfers.known.lackedBy(mirror, entries);
		if (lacked.length > 0) await send(lacked, entries, signal);
		if (network) {
			await beforeEffect();
			onEffect();
		}
		const outcome = await runProgram(port, {
			request: { ...requestFor(call, { entries, mirror, network, settings: context.settings, timeoutMs }), args },
			stdin: call.stdin,
			send: (missing) => send(missing, entries, signal),
			signal,
		});
		const { changes } = outcome;
		transfers.known.note(mirror, [...entries, ...changes.changed]);
		backend = outcome.end.backend;
		if (outcome.end.network && "hosts" in outcome.end.network) reached.push(...outcome.end.network.hosts);
		if (isGit) judgeGitChanges(changes);
		await applyChanges(changes, {
			files: isGit ? trusted : files,
			find: findChunk,
			fetch: (hashes) => fetchChunks(port, { mirror, revision: changes.revision, hashes, signal }),
			read,
		});
		if (isGit) await read(() => judgeGitFiles(changes, files));
		return resultOf(call.name, outcome);
	}

	async function send(missing: readonly string[], entries: readonly MirrorEntry[], signal: AbortSignal): Promise<void> {
		const chunk = (hash: string) => use.findChunk(fromHex(hash)) ?? changedMeanwhile();
		await arrival(transfers.begin(port, { mirror, sizes: sizesOf(missing, entries), chunk }), signal);
	}

	/** Waits for as long as the command line can; what is still on its way then goes on without it. */
	async function arrival(transfer: Transfer, signal: AbortSignal): Promise<void> {
		const leftMs = transferShare * timeoutMs - (Date.now() - startedAt);
		const isThere = transfer.done.then(() => true);
		if (!(await Promise.race([isThere, elapsed(leftMs, signal)]))) throw stillCopying(transfer);
	}
}

/** Of a command line's time, what it may spend on waiting for its files to be copied. */
const transferShare = 0.8;

/** Answers false when the time is over or `signal` aborts. */
const elapsed = (ms: number, signal: AbortSignal): Promise<false> =>
	new Promise((resolve) => {
		const timer = setTimeout(() => resolve(false), Math.max(0, ms));
		signal.addEventListener("abort", () => resolve(false), { once: true });
		signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
	});

const stillCopying = ({ sentBytes, totalBytes }: Transfer): Refused => {
	const [sent, total] = [sentBytes(), totalBytes].map((bytes) => (bytes / 1e6).toFixed(1));
	const message = `The workspace's files are being copied to the runner, ${sent} of ${total} MB so far, which goes on. Nothing was changed; run the command again in a while.`;
	return refused("unavailable", "copying_files", message, true);
};

/** Bytes of chunks, without asking for them. */
function sizesOf(hashes: readonly string[], entries: readonly MirrorEntry[]): Map<string, number> {
	const wanted = new Set(hashes);
	const sizes = new Map<string, number>();
	for (const entry of entries) {
		if (entry.kind !== "file") continue;
		for (const [index, hash] of entry.chunks.entries()) {
			if (wanted.has(hash)) sizes.set(hash, Math.min(chunkBytes, entry.size - index * chunkBytes));
		}
	}
	return sizes;
}

/** One for each place that changes go to, so that jobs do not wait for each other. */
export const mirrorId = ({ workspace, target }: WorkspaceContext): string =>
	createHash("sha256")
		.update(JSON.stringify([workspace, target]))
		.digest("hex");

/** What programs may reach; undefined where the policy opens nothing. */
const networkOf = ({ programNetwork, whitelist, allowLoopback }: WorkspaceContext): NetworkRules | undefined =>
	programNetwork === "allow" ? { entries: [...whitelist.HTTP], allowLoopback } : undefined;

interface Laid {
	readonly entries: MirrorEntry[];
	readonly mirror: string;
	readonly network: NetworkRules | undefined;
	readonly settings: SettingsDocument;
	readonly timeoutMs: number;
}

function requestFor({ name, args, cwd, environment }: ProgramCall, laid: Laid): ProgramRequest {
	const { entries, mirror, network, settings, timeoutMs } = laid;
	return {
		program: name,
		args: [...args],
		cwd: cwdBelow(cwd),
		environment: Object.fromEntries(
			passedNames.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
		),
		limits: { ...settings.resources, timeoutMs },
		requireSandbox: settings.sandbox.required,
		...(network && { network }),
		mirror: { id: mirror, entries },
		protectedPaths: name === "git" ? [] : entries.map(({ path }) => path).filter((path) => whyProtected(path)),
	};
}

/** Those that say how to speak; where a program finds what it needs is the runner's to say. */
const passedNames = environmentNames.filter((name) => /^(TERM|LANG|LC_)/.test(name));

function cwdBelow(cwd: string): string {
	if (cwd === mirroredRoot) return "";
	if (cwd.startsWith(`${mirroredRoot}/`)) return nameBelow(mirroredRoot, cwd);
	throw refused(
		"invalid_arguments",
		"outside_root",
		`Programs of the runner work in ${mirroredRoot}; ${cwd} is not there. Change the directory first.`,
	);
}

/**
 * A program without a network changes nothing but the files, which are given up, so it may be run again however it was lost. What one
 * did elsewhere that had a network is unknown then; `run` tells of such a one before it is asked for.
 */
async function whereRefused<Result>(name: string, run: (onEffect: () => void) => Promise<Result>): Promise<Result> {
	let mayHaveActed = false;
	try {
		return await run(() => {
			mayHaveActed = true;
		});
	} catch (error) {
		if (error instanceof RunnerLost && mayHaveActed)
			throw refused(
				"outcome_unknown",
				"runner_lost",
				`${error.message} ${JSON.stringify(name)} had the network, so it is not run again by itself. No file was changed here.`,
			);
		if (error instanceof RunnerLost)
			throw refused("unavailable", "runner_lost", `${error.message} Nothing was changed here.`, true);
		if (!(error instanceof RunnerRefused)) throw error;
		const { code, message } = error;
		if (code === "program_missing")
			throw refused("unavailable", "program_missing", `The runner has no program ${JSON.stringify(name)}.`);
		if (code === "sandbox_unavailable") throw refused("unavailable", code, message);
		if (code === "unreachable" || code === "draining")
			throw refused(
				"unavailable",
				"needs_runner",
				`${JSON.stringify(name)} needs the runner. ${message} Nothing was changed.`,
				true,
			);
		const told = `${message} Nothing was changed.`;
		if (code === "invalid_input" || code === "too_large") throw refused("invalid_arguments", code, told);
		throw refused("internal", code, told, true);
	}
}

function changedMeanwhile(): never {
	throw refused("conflict", "changed_meanwhile", "Files changed while they were sent to the runner. Try again.", true);
}

const refused = (code: ToolErrorCode, reason: string, message: string, retryable = false): Refused =>
	new Refused({ code, reason, message, retryable, gate: false });
