import { createGatedFetch } from "../gates/gated-fetch";
import { Turns } from "../lib/turns";
import type { RunnerPort } from "../runner/port";
import { Transfers } from "../runner/transfers";
import type { WorkspaceContext } from "../workspace/context";
import { rulesOf } from "../workspace/guarded";
import { Refused } from "../workspace/refused";
import type { FileReply } from "../workspace/reply";
import type { ShellCall, ShellOutcome } from "../workspace/shell-call";
import type { Workspace } from "../workspace/workspace";
import { MirrorTurn } from "./mirror-turn";
import { wayOut } from "./way-out";
import { mirrorId, programsOf } from "./workspace-programs";

const maxShownChanges = 100;

interface Running {
	readonly stop: AbortController;
	readonly outcome: Promise<FileReply<ShellOutcome>>;
}

export interface ShellMeans {
	readonly call: ShellCall;
	readonly fetcher: typeof fetch;
	readonly runner: RunnerPort;
	/** Resolves when what was written is on disk. */
	readonly settled: () => Promise<void>;
}

/** The command lines that run now, by call id: one that is asked for again while it runs is waited for, not begun twice. */
export class Shells {
	readonly #running = new Map<string, Running>();
	readonly #mirrors = new Turns();
	readonly #transfers = new Transfers();

	run(workspace: Workspace, context: WorkspaceContext, means: ShellMeans): Promise<FileReply<ShellOutcome>> {
		const { callId } = context;
		const going = this.#running.get(callId);
		if (going) return going.outcome;
		const stop = new AbortController();
		const run = { ...means, signal: stop.signal, mirrors: this.#mirrors, transfers: this.#transfers };
		const outcome = runInLayer(workspace, context, run).finally(() => this.#running.delete(callId));
		this.#running.set(callId, { stop, outcome });
		return outcome;
	}

	stop(callId: string): void {
		this.#running.get(callId)?.stop.abort();
	}
}

interface Run extends ShellMeans {
	readonly signal: AbortSignal;
	/** Who may use which mirror of the files. */
	readonly mirrors: Turns;
	/** What is on its way to them. */
	readonly transfers: Transfers;
}

async function runInLayer(
	workspace: Workspace,
	context: WorkspaceContext,
	{ call, fetcher, runner, settled, signal, mirrors, transfers }: Run,
): Promise<FileReply<ShellOutcome>> {
	const { settings, whitelist } = context;
	const out = wayOut(context, { fetcher, signal });
	// Heavy, and many objects never run a command.
	const { runShell } = await import("../workspace/shell/run-shell");
	const beforeEffect = async () => {
		workspace.begin(context.callId);
		await settled();
	};
	using turn = new MirrorTurn(mirrors, mirrorId(context));
	return await workspace.changeWhole(context, async (use) => {
		const means = { port: runner, context, use, turn, transfers, timeoutMs: call.timeoutMs, beforeEffect };
		const programs = programsOf(means);
		const ran = await runShell({
			files: use.files,
			read: use.read,
			call,
			signal,
			home: rulesOf(context).root,
			listed: whitelist.SHELL,
			interpreters: context.interpreters,
			runProgram: programs.run,
			fetch: createGatedFetch({ ...out, maxBytes: settings.http.maxResponseBytes }),
			beforeEffect,
		});
		if (!ran.ok) throw new Refused(ran);
		const backend = programs.backend();
		const reached = programs.reached();
		return {
			...ran.outcome,
			changed: use.changes().slice(0, maxShownChanges),
			...(backend && { backend }),
			...(reached.length > 0 && { reached }),
		};
	});
}
